import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { addDays, isDay, type Day } from '#shared/domain/day.ts'
import { OUTBOX_DAYS } from '#shared/domain/reminder-forecast.ts'
import { formatDay } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { lineText, occasionText, type MessageTarget } from '#client/mail/reminder-words.ts'

interface SnoozeDialogProps {
  opened: boolean
  message: MessageTarget | undefined
  onSnooze: (message: MessageTarget, until: string) => void
  onClose: () => void
}

/** Asks until when to snooze a message. */
export function SnoozeDialog({ message, ...dialog }: SnoozeDialogProps) {
  if (!message) return null
  return <Asking key={`${message.contractId} ${message.day}`} message={message} {...dialog} />
}

function Asking({ opened, message, onSnooze, onClose }: SnoozeDialogProps & { message: MessageTarget }) {
  const { first, last, proposed } = daysFor(message, useAccountToday()())
  const [chosen, setChosen] = useState<string>()
  const until = chosen ?? proposed
  const [error, setError] = useState<string>()
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    // Unchanged while it fades out.
    if (opened) {
      setChosen(undefined)
      setError(undefined)
    }
  }
  const submit = () => {
    if (!isDay(until) || until < first || until > last) {
      return setError(`Choose a day from ${formatDay(first)} to ${formatDay(last)}`)
    }
    onSnooze(message, until)
    return onClose()
  }
  return (
    <FormDialog
      opened={opened}
      title="Snooze"
      submitLabel="Snooze"
      unsaved={until !== proposed}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      <Text>
        {message.customerName}: {occasionText(message)} ({lineText(message)})
      </Text>
      <TextInput
        type="date"
        label="Until"
        required
        data-autofocus
        min={first}
        max={last}
        value={until}
        error={error}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** From tomorrow; a reminder at the latest on the renewal date, which it announces. */
function daysFor({ kind, day, renewalDate }: MessageTarget, today: Day) {
  const first = addDays(today, 1)
  const last = kind === 'follow_up' ? addDays(today, OUTBOX_DAYS) : renewalDate
  const next = addDays(day > today ? day : today, 1)
  return { first, last, proposed: next > last ? last : next }
}
