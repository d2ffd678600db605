import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useDialogForm } from '#client/forms/use-dialog-form.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
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
  /** Where the dialog stands: it decides on the texts and on how much is asked for. */
  page: CustomerDialogPage
  /** Who is edited; nobody where a customer is added. */
  customer?: Customer | undefined
  onAdded?: ((id: number) => void) | undefined
  onClose: () => void
}

/** Adds a customer, or edits one. */
export function CustomerDialog({ opened, page, customer, onAdded, onClose }: CustomerDialogProps) {
  const form = useCustomerForm(page)
  const save = useSaveCustomer(customer, page, onAdded)
  const { failure, setFailure, close, succeed } = useDialogForm({
    form,
    opened,
    valuesAtStart: () => customerValues(customer),
    onClose,
  })
  const submit = form.onSubmit(
    async (values) => {
      if (!opened) return
      setFailure(undefined)
      await save(values, form.getInitialValues()).then(succeed, (error: unknown) => {
        const { field, text } = customerFailure(error, page)
        if (!field) return setFailure(text)
        form.setFieldError(field, text)
        form.getInputNode(field)?.focus()
      })
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
      error={failure}
      onSubmit={submit}
      onClose={close}
    >
      <CustomerFields form={form} page={page} customer={customer} />
    </FormDialog>
  )
}

interface CustomerFieldsProps {
  form: ReturnType<typeof useCustomerForm>
  page: CustomerDialogPage
  customer: Customer | undefined
}

function CustomerFields({ form, page, customer }: CustomerFieldsProps) {
  const whole = page === 'customers'
  const closed = closedAt(customer, form.getValues().email)
  return (
    <>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Phone" type="tel" autoComplete="off" {...form.getInputProps('phone')} />
        <TextInput label="Customer Number" autoComplete="off" {...form.getInputProps('customerNumber')} />
      </SimpleGrid>
      {whole && <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />}
      <Textarea label="Address" rows={2} autoComplete="off" {...form.getInputProps('address')} />
      {whole && (
        <Switch
          label="Send renewal notifications to this customer"
          disabled={Boolean(customer?.mailClosed)}
          description={closed && closedText(closed.reason)}
          {...form.getInputProps('sendNotifications', { type: 'checkbox' })}
        />
      )}
    </>
  )
}
