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
  const of = `${occasionText(message)} (${lineText(message)})`
  return <CertificateOf path={`/reminders/${message.id}/certificate`} of={of} size={size} />
}

interface CertificateOfProps extends Pick<CertificateButtonProps, 'size'> {
  /** Where it is downloaded. */
  path: string
  /** What it proves, for those who hear the button's name. */
  of: string
}

/** Saves a proof as a PDF. */
export function CertificateOf({ path, of, size }: CertificateOfProps) {
  const { save, busy } = useDownload()
  return (
    <Button
      variant={size === 'sm' ? 'default' : 'subtle'}
      size={size}
      leftSection={<DownloadIcon aria-hidden />}
      loading={busy === path}
      aria-label={`Certificate: ${of}`}
      onClick={() => save({ path, failed: 'Failed to download the certificate' })}
    >
      Certificate
    </Button>
  )
}
