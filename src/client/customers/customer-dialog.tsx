import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { EntityDialog } from '#client/forms/entity-dialog.tsx'
import { NoticesToday } from '#client/mail/notices-today.tsx'
import { useNoticesOfCustomer } from '#client/mail/use-announced-notices.ts'
import { TagsField } from '#client/tags/tags-field.tsx'
import { tagsIn } from '#client/tags/tags-text.ts'
import type { CustomerDialogPage } from './customer-dialog-pages.ts'
import { closedText } from './closed-words.ts'
import {
  closedAt,
  CUSTOMER_CONFLICTS,
  customerFailure,
  customerValues,
  useCustomerForm,
  useSaveCustomer,
  type Customer,
} from './customer-form.ts'

interface CustomerDialogProps {
  opened: boolean
  /** The page it is on, which decides its texts. */
  page: CustomerDialogPage
  /** The customer to edit; without it the dialog adds one. */
  customer?: Customer | undefined
  /** It is on the page of the same customer. */
  onOwnPage?: boolean
  onAdded?: ((id: number) => void) | undefined
  onClose: () => void
}

export function CustomerDialog({ opened, page, customer, onClose, ...rest }: CustomerDialogProps) {
  const { onOwnPage = false, onAdded } = rest
  const form = useCustomerForm(page)
  const save = useSaveCustomer(customer, onAdded)
  const announced = useNoticesOfCustomer(taggedOf({ opened, customer, form }))
  return (
    <EntityDialog
      opened={opened}
      noun="Customer"
      isNew={!customer}
      form={form}
      valuesAtStart={() => customerValues(customer)}
      save={save}
      failureOf={(error) => customerFailure(error, page)}
      confirm={announced.confirmShown}
      openIn={onOwnPage ? undefined : '/customers/$id'}
      conflictFields={CUSTOMER_CONFLICTS}
      onClose={onClose}
    >
      <CustomerFields form={form} customer={customer} />
      {customer && <NoticesToday announced={announced} to="this customer" />}
    </EntityDialog>
  )
}

/** The tags that an edited customer is to have, where they change. */
function taggedOf({
  opened,
  customer,
  form,
}: Pick<CustomerDialogProps, 'opened' | 'customer'> & { form: CustomerForm }) {
  if (!opened || !customer || !form.isDirty('tags')) return undefined
  return { id: customer.id, tags: tagsIn(form.values.tags) }
}

type CustomerForm = ReturnType<typeof useCustomerForm>

interface CustomerFieldsProps {
  form: CustomerForm
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
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Contact Person" autoComplete="off" {...form.getInputProps('contactName')} />
        <TextInput label="Contact Role" autoComplete="off" {...form.getInputProps('contactRole')} />
      </SimpleGrid>
      <Textarea label="Address" rows={2} autoComplete="off" {...form.getInputProps('address')} />
      <TagsField {...form.getInputProps('tags')} />
      <Switch
        label="Send renewal notifications to this customer"
        disabled={Boolean(customer?.mailClosed)}
        description={closed && closedText(closed.reason)}
        {...form.getInputProps('sendNotifications', { type: 'checkbox' })}
      />
    </>
  )
}
