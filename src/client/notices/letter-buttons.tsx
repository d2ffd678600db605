import { Button, Text } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { unprintable } from '#shared/domain/latin-text.ts'
import { useDownload } from '#client/identity/use-download.ts'
import { DeadlineButton } from './deadline-button.tsx'
import type { Notice } from './notice-words.ts'

/** Saves the notice as a letter, as a PDF. */
export function LetterButton({ notice: { contractId, customerName } }: { notice: Notice }) {
  const { save, busy } = useDownload()
  const path = `/contracts/${contractId}/notice-letter`
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<DownloadIcon aria-hidden />}
      loading={busy === path}
      aria-label={`Letter: ${customerName}`}
      onClick={() => save({ path, failed: 'Failed to download the letter' })}
    >
      Letter
    </Button>
  )
}

/** What a letter cannot print of the customer's name, before it is downloaded; nothing of most names. */
export function NotPrinted({ notice: { customerName } }: { notice: Notice }) {
  const characters = unprintable(customerName)
  if (characters.length === 0) return null
  return (
    <Text size="sm">
      {`The letter shows these characters of the customer's name as codes, as it cannot print them: ${characters.join(' ')}`}
    </Text>
  )
}

/** Opens the dialog that asks when the letter was mailed; also in a read-only account, as a deadline does not wait. */
export function MailedButton({ notice: { customerName }, onPost }: { notice: Notice; onPost: () => void }) {
  return (
    <DeadlineButton size="xs" variant="default" aria-label={`Mark as Mailed: ${customerName}`} onClick={onPost}>
      Mark as Mailed
    </DeadlineButton>
  )
}

/** Undoes that. */
export function NotMailedButton({ notice: { customerName }, onUnpost }: { notice: Notice; onUnpost: () => void }) {
  return (
    <DeadlineButton
      size="compact-sm"
      variant="subtle"
      aria-label={`Mark as Not Mailed: ${customerName}`}
      onClick={onUnpost}
    >
      Mark as Not Mailed
    </DeadlineButton>
  )
}
