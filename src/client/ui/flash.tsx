import { Affix, CloseButton, Group, Paper, Text, ThemeIcon } from '@mantine/core'
import { CheckIcon, Cross2Icon } from '@radix-ui/react-icons'
import { useEffect, useState } from 'react'

const SUCCESS_MS = 3000
const ERROR_MS = 5000

interface Message {
  tone: 'success' | 'error'
  text: string
}

export interface FlashControl {
  message: Message | undefined
  succeed: (text: string) => void
  fail: (text: string) => void
  clear: () => void
}

/** One short message about what was just done: 3 seconds for a success, 5 for a failure. */
export function useFlash(): FlashControl {
  const [message, setMessage] = useState<Message>()
  useEffect(() => {
    if (!message) return undefined
    const timer = setTimeout(() => setMessage(undefined), message.tone === 'error' ? ERROR_MS : SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [message])
  return {
    message,
    succeed: (text) => setMessage({ tone: 'success', text }),
    fail: (text) => setMessage({ tone: 'error', text }),
    clear: () => setMessage(undefined),
  }
}

/** Shows it at the bottom of the window, wherever the page is scrolled to. */
export function Flash({ message, clear }: FlashControl) {
  if (!message) return null
  const failed = message.tone === 'error'
  return (
    <Affix position={{ bottom: 20, right: 20, left: 20 }} zIndex={400} style={{ pointerEvents: 'none' }}>
      <Paper
        withBorder
        shadow="lg"
        p="sm"
        maw={440}
        ml="auto"
        role={failed ? 'alert' : 'status'}
        style={{ pointerEvents: 'auto' }}
      >
        <Group wrap="nowrap" gap="sm">
          <ThemeIcon color={failed ? 'red' : 'green'} radius="xl" aria-hidden>
            {failed ? <Cross2Icon /> : <CheckIcon />}
          </ThemeIcon>
          <Text size="sm" flex={1}>
            {message.text}
          </Text>
          <CloseButton size="sm" aria-label="Dismiss" onClick={clear} />
        </Group>
      </Paper>
    </Affix>
  )
}
