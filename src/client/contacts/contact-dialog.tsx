import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { SimpleGrid, Switch, TextInput } from '@mantine/core'
import { EntityDialog } from '#client/forms/entity-dialog.tsx'
import {
  CONTACT_CONFLICTS,
  contactFailure,
  contactValues,
  useContactForm,
  useSaveContact,
  type Contact,
} from './contact-form.ts'

interface ContactDialogProps {
  opened: boolean
  customerId: number
  /** The contact to edit; without it the dialog adds one. */
  contact: Contact | undefined
  onClose: () => void
}

export function ContactDialog({ opened, customerId, contact, onClose }: ContactDialogProps) {
  const form = useContactForm()
  const save = useSaveContact(customerId, contact)
  return (
    <EntityDialog
      opened={opened}
      noun="Contact"
      isNew={!contact}
      form={form}
      valuesAtStart={() => contactValues(contact)}
      save={save}
      failureOf={contactFailure}
      openIn={undefined}
      conflictFields={CONTACT_CONFLICTS}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Name" required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
        <TextInput label="Role" autoComplete="off" {...form.getInputProps('role')} />
        <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
        <TextInput label="Phone" type="tel" autoComplete="off" {...form.getInputProps('phone')} />
      </SimpleGrid>
      <Switch
        label="Send reminders to this contact too"
        description="From the next message on, by email, while notifications are on for the customer."
        {...form.getInputProps('reminders', { type: 'checkbox' })}
      />
    </EntityDialog>
  )
}
