import { ActionIcon, Group } from '@mantine/core'
import { ClockIcon, Cross2Icon, PaperPlaneIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { lineText, occasionText, type Message } from './reminder-words.ts'

type Meant = Omit<Message, 'obstacle'>

interface MessageActionsProps {
  message: Meant
  onSend: (() => void) | undefined
  onSnooze?: (() => void) | undefined
  onSkip?: (() => void) | undefined
}

export function MessageActions({ message, onSend, onSnooze, onSkip }: MessageActionsProps) {
  const name = `${message.customerName}, ${occasionText(message)} (${lineText(message)})`
  return (
    <Group gap={4} wrap="nowrap">
      {onSend && (
        <Act label="Send now" name={name} onAct={onSend}>
          <PaperPlaneIcon />
        </Act>
      )}
      {onSnooze && (
        <Act label="Snooze" name={name} onAct={onSnooze}>
          <ClockIcon />
        </Act>
      )}
      {onSkip && (
        <Act label="Skip" name={name} onAct={onSkip}>
          <Cross2Icon />
        </Act>
      )}
    </Group>
  )
}

interface ActProps {
  label: string
  name: string
  onAct: () => void
  children: ReactNode
}

function Act({ label, name, onAct, children }: ActProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" title={label} aria-label={`${label}: ${name}`} onClick={onAct}>
      {children}
    </ActionIcon>
  )
}
