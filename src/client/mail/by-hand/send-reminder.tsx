import { Button, Loader } from '@mantine/core'
import { CheckIcon, ClockIcon, EnvelopeClosedIcon } from '@radix-ui/react-icons'
import type { ReminderControl } from './use-send-reminder.ts'

interface SendReminderProps {
  contract: { id: number; customerName: string }
  control: ReminderControl
  size?: 'xs' | 'sm'
}

const LABELS = { idle: 'Send Reminder', busy: 'Send Reminder', planned: 'On Its Way', sent: 'Reminder Sent Today' }

/** Emails the contract's customer, once a day. Never disabled, to keep the focus. */
export function SendReminder({ contract, control, size = 'xs' }: SendReminderProps) {
  const state = control.stateOf(contract.id)
  const isQuiet = state === 'planned' || state === 'sent'
  return (
    <Button
      size={size}
      variant={isQuiet ? 'transparent' : 'default'}
      {...(!control.isReadOnly && { c: isQuiet ? 'dimmed' : 'bright' })}
      leftSection={ICONS[state]}
      aria-disabled={state !== 'idle' || control.isReadOnly}
      data-disabled={control.isReadOnly}
      aria-busy={state === 'busy'}
      style={{ cursor: state === 'idle' ? 'pointer' : 'default' }}
      aria-label={`${LABELS[state]}: ${contract.customerName}`}
      onClick={() => control.send(contract)}
    >
      {LABELS[state]}
    </Button>
  )
}

const ICONS = {
  idle: <EnvelopeClosedIcon />,
  busy: <Loader size={14} color="gray" />,
  planned: <ClockIcon />,
  sent: <CheckIcon />,
}
