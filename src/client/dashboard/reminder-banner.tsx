import { Alert } from '@mantine/core'
import { CheckCircledIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons'
import { useState } from 'react'

interface Said {
  tone: 'success' | 'error'
  text: string
}

export interface ReminderOutcome {
  said: Said | undefined
  succeed: (text: string) => void
  fail: (text: string) => void
  clear: () => void
}

/** How the last reminder went; it stands until the next, or until it is dismissed. */
export function useReminderOutcome(): ReminderOutcome {
  const [said, setSaid] = useState<Said>()
  return {
    said,
    succeed: (text) => setSaid({ tone: 'success', text }),
    fail: (text) => setSaid({ tone: 'error', text }),
    clear: () => setSaid(undefined),
  }
}

export function ReminderBanner({ said, clear }: ReminderOutcome) {
  if (!said) return null
  const failed = said.tone === 'error'
  return (
    <Alert
      mx="md"
      mb="md"
      color={failed ? 'red' : 'green'}
      role={failed ? 'alert' : 'status'}
      icon={failed ? <ExclamationTriangleIcon /> : <CheckCircledIcon />}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={clear}
    >
      {said.text}
    </Alert>
  )
}
