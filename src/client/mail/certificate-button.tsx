import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useDownload } from '#client/identity/use-download.ts'
import { lineText, occasionText, type LedgerMessage } from './reminder-words.ts'

interface CertificateButtonProps {
  message: Pick<LedgerMessage, 'id' | 'kind' | 'offset' | 'recipient' | 'contactName' | 'channel'>
  size: 'sm' | 'compact-sm'
}

/** Saves the proof of a message that was sent, as a PDF. */
export function CertificateButton({ message, size }: CertificateButtonProps) {
  const { save, busy } = useDownload()
  const path = `/reminders/${message.id}/certificate`
  return (
    <Button
      variant={size === 'sm' ? 'default' : 'subtle'}
      size={size}
      leftSection={<DownloadIcon aria-hidden />}
      loading={busy === path}
      aria-label={`Certificate: ${occasionText(message)} (${lineText(message)})`}
      onClick={() => save({ path, failed: 'Failed to download the certificate' })}
    >
      Certificate
    </Button>
  )
}
