import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Anchor, Badge, Group, Stack, Switch, Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { CLOSED_REASONS } from '#shared/domain/closed-address.ts'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { BounceAlert, useWorksAgain } from '#client/mail/bounce-alert.tsx'
import { useContactActions, type Contact } from './contact-form.ts'
import classes from './contacts.module.css'

interface ContactEntryProps {
  contact: Contact
  /** Whether it says that email to it bounced. */
  saysBounce: boolean
  onEdit: () => void
}

export function ContactEntry({ contact, saysBounce, onEdit }: ContactEntryProps) {
  const { name, role, email, isFirst, mailClosed, bounce } = contact
  return (
    <Group component="li" justify="space-between" gap="xs" className={classes.entry}>
      <Stack gap={2} className={classes.reach}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {name ?? 'No name'}
          </Text>
          {role && (
            <Text size="sm" c="dimmed">
              {role}
            </Text>
          )}
          {isFirst && <Badge color="gray">First contact</Badge>}
        </Group>
        <Reach contact={contact} />
        {mailClosed && (
          <Text size="xs" c="dimmed">
            {`${CLOSED_REASONS[mailClosed.reason]}. Nothing is sent to this address.`}
          </Text>
        )}
        {bounce && email && saysBounce && <Bounce contact={contact} bounce={{ ...bounce, address: email }} />}
      </Stack>
      {isFirst ? (
        <Text size="xs" c="dimmed">
          {contact.reminders ? 'Gets reminders' : 'Notifications are turned off for all contacts'}
        </Text>
      ) : (
        <Actions contact={contact} onEdit={onEdit} />
      )}
    </Group>
  )
}

interface BounceProps {
  contact: Contact
  bounce: ComponentProps<typeof BounceAlert>
}

function Bounce({ contact: { id, customerId, name, isFirst }, bounce }: BounceProps) {
  const works = useWorksAgain(bounce.address)
  const clearOther = trpc.contacts.clearBounce.useMutation(works)
  const clearFirst = trpc.reminders.clearBounce.useMutation(works)
  const [clear, cleared] = isFirst ? [clearFirst, customerId] : [clearOther, id]
  return (
    <BounceAlert {...bounce}>
      <div>
        <ChangeButton
          mt="xs"
          size="xs"
          variant="default"
          busy={clear.isPending}
          aria-label={`Mark as Working: ${name ?? bounce.address}`}
          onClick={() => clear.mutate({ id: cleared })}
        >
          Mark as Working
        </ChangeButton>
      </div>
    </BounceAlert>
  )
}

function Reach({ contact: { email, phone } }: { contact: Contact }) {
  return (
    <Group gap="md">
      {email ? (
        <Anchor size="sm" href={`mailto:${email}`}>
          {email}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          No email
        </Text>
      )}
      {phone && (
        <Anchor size="sm" href={`tel:${phone}`}>
          {phone}
        </Anchor>
      )}
    </Group>
  )
}

function Actions({ contact, onEdit }: Omit<ContactEntryProps, 'saysBounce'>) {
  const { isBusy, turnReminders, makeFirst, remove } = useContactActions(contact)
  const isRefused = useReadOnlyGuard()
  const { name, reminders } = contact
  return (
    <Group gap={4}>
      <Switch
        size="xs"
        mr="xs"
        label="Reminders"
        aria-label={`Reminders to ${name}`}
        checked={reminders}
        onChange={({ currentTarget: { checked } }) => isRefused() || turnReminders(checked)}
      />
      <ChangeButton
        size="compact-xs"
        variant="subtle"
        idle={isBusy}
        aria-label={`Make First Contact: ${name}`}
        onClick={makeFirst}
      >
        Make First Contact
      </ChangeButton>
      <ChangeButton size="compact-xs" variant="subtle" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </ChangeButton>
      <ChangeButton
        size="compact-xs"
        variant="subtle"
        color="red"
        idle={isBusy}
        aria-label={`Delete ${name}`}
        onClick={remove}
      >
        Delete
      </ChangeButton>
    </Group>
  )
}
