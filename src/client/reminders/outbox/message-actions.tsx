import { Group } from '@mantine/core'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { lineText, occasionText, type MessageTarget } from '#client/mail/reminder-words.ts'

interface MessageActionsProps {
  message: MessageTarget
  onSend: (() => void) | undefined
  onSnooze?: (() => void) | undefined
  onSkip?: (() => void) | undefined
}

export function MessageActions({ message, onSend, onSnooze, onSkip }: MessageActionsProps) {
  const name = `${message.customerName}, ${occasionText(message)} (${lineText(message)})`
  return (
    <Group gap={6} wrap="nowrap">
      {onSend && <Act label="Send Now" name={name} onAct={onSend} />}
      {onSnooze && <Act label="Snooze" name={name} onAct={onSnooze} />}
      {onSkip && <Act label="Skip" name={name} onAct={onSkip} />}
    </Group>
  )
}

interface ActProps {
  label: string
  name: string
  onAct: () => void
}

function Act({ label, name, onAct }: ActProps) {
  return (
    <ChangeButton variant="default" size="xs" px="xs" aria-label={`${label}: ${name}`} onClick={onAct}>
      {label}
    </ChangeButton>
  )
}
