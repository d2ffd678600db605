import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useDialogForm } from '#client/forms/use-dialog-form.ts'
import { useOpenSaved } from '#client/list/use-open-saved.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import type { CustomerDialogPage } from './customer-dialog-pages.ts'
import { closedText } from './closed-words.ts'
import {
  closedAt,
  customerFailure,
  customerValues,
  useCustomerForm,
  useSaveCustomer,
  type Customer,
} from './customer-form.ts'

interface CustomerDialogProps {
  opened: boolean
  /** Where the dialog stands: it decides on the texts. */
  page: CustomerDialogPage
  /** Who is edited; nobody where a customer is added. */
  customer?: Customer | undefined
  /** The details of the same customer wait below it. */
  overDetails?: boolean
  onAdded?: ((id: number) => void) | undefined
  onClose: () => void
}

/** Adds a customer, or edits one. */
export function CustomerDialog({ opened, page, customer, onClose, ...rest }: CustomerDialogProps) {
  const { overDetails = false, onAdded } = rest
  const form = useCustomerForm(page)
  const save = useSaveCustomer(customer, onAdded)
  const open = useOpenSaved('/customers')
  const { failure, setFailure, unsaved, close, succeed } = useDialogForm({
    form,
    opened,
    valuesAtStart: () => customerValues(customer),
    onClose,
  })
  const submit = form.onSubmit(
    async (values) => {
      if (!opened) return
      setFailure(undefined)
      const fail = (error: unknown) => {
        const { field, text } = customerFailure(error, page)
        if (!field) return setFailure(text)
        form.setFieldError(field, text)
        form.getInputNode(field)?.focus()
      }
      await save(values, form.getInitialValues()).then(
        ({ id, said }) => succeed(said, overDetails ? undefined : () => open(id)),
        fail,
      )
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  const title = customer ? 'Edit Customer' : 'Add Customer'
  return (
    <FormDialog
      opened={opened}
      title={title}
      submitLabel={customer ? 'Save Changes' : title}
      busy={form.submitting}
      unsaved={unsaved}
      error={failure}
      onSubmit={submit}
      onClose={close}
    >
      <CustomerFields form={form} customer={customer} />
    </FormDialog>
  )
}

interface CustomerFieldsProps {
  form: ReturnType<typeof useCustomerForm>
  customer: Customer | undefined
}

function CustomerFields({ form, customer }: CustomerFieldsProps) {
  const closed = closedAt(customer, form.getValues().email)
  return (
    <>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Phone" type="tel" autoComplete="off" {...form.getInputProps('phone')} />
        <TextInput label="Customer Number" autoComplete="off" {...form.getInputProps('customerNumber')} />
      </SimpleGrid>
      <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <Textarea label="Address" rows={2} autoComplete="off" {...form.getInputProps('address')} />
      <Switch
        label="Send renewal notifications to this customer"
        disabled={Boolean(customer?.mailClosed)}
        description={closed && closedText(closed.reason)}
        {...form.getInputProps('sendNotifications', { type: 'checkbox' })}
      />
    </>
  )
}
