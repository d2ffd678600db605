import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { useOutcome } from '#client/ui/use-outcome.ts'
import { CUSTOMER_DOORS, type CustomerDoor } from './customer-doors.ts'
import { customerFailure, customerValues, useCustomerForm, useSaveCustomer, type Customer } from './customer-form.ts'

interface CustomerDialogProps {
  opened: boolean
  /** Where the dialog stands: it decides on the texts and on how much is asked for. */
  door: CustomerDoor
  /** Who is edited; nobody where a customer is added. */
  customer?: Customer | undefined
  onClose: () => void
}

/** Adds a customer, or edits one. */
export function CustomerDialog({ opened, door, customer, onClose }: CustomerDialogProps) {
  const form = useCustomerForm(door)
  const outcome = useOutcome({ opened, onClose, closesAfterMs: CUSTOMER_DOORS[door].closesAfterMs })
  const save = useSaveCustomer(customer, door)
  const start = useEffectEvent(() => {
    outcome.clear()
    form.clearErrors()
    form.setValues(customerValues(customer))
  })
  useEffect(() => {
    if (opened) start()
  }, [opened])

  const submit = form.onSubmit(
    async (values) => {
      if (outcome.success) return
      outcome.clear()
      await save(values).then(outcome.succeed, (error: unknown) => {
        const { field, text } = customerFailure(error, door)
        if (!field) return outcome.fail(text)
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
      error={outcome.error}
      success={outcome.success}
      onSubmit={submit}
      onClose={onClose}
    >
      <CustomerFields form={form} door={door} />
    </FormDialog>
  )
}

interface CustomerFieldsProps {
  form: ReturnType<typeof useCustomerForm>
  door: CustomerDoor
}

function CustomerFields({ form, door }: CustomerFieldsProps) {
  const whole = door === 'customers'
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
          {...form.getInputProps('sendNotifications', { type: 'checkbox' })}
        />
      )}
    </>
  )
}
