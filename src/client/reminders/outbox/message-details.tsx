import { Paper, Text } from '@mantine/core'
import { browserTimeZone, formatDay, formatInstant } from '#client/text/format.ts'
import { DetailsDialog } from '#client/ui/dialogs/details-dialog.tsx'
import { CertificateButton } from '#client/mail/certificate-button.tsx'
import { lineText, occasionText, stateOf, waitText, type LedgerMessage } from '#client/mail/reminder-words.ts'

interface MessageDetailsProps {
  opened: boolean
  message: LedgerMessage | undefined
  onClose: () => void
}

/** All that the ledger says of a message. */
export function MessageDetails({ message, ...dialog }: MessageDetailsProps) {
  return (
    <DetailsDialog
      title="Message Details"
      details={message ? detailsOf(message) : []}
      section={message?.body && <Letter subject={message.subject} body={message.body} />}
      {...dialog}
    >
      {message?.hasCertificate && <CertificateButton message={message} size="sm" />}
    </DetailsDialog>
  )
}

function detailsOf(message: LedgerMessage) {
  const { customerName, renewalDate, day, kind, state, reason, address, mailNumber, answer, repeats } = message
  const { label } = stateOf(message)
  const wait = waitText(message)
  const times = [
    [kind === 'letter' ? 'Recorded' : 'Sent', message.sentAt],
    ['Delivered', message.deliveredAt],
    ['Bounced', message.bouncedAt],
    [state === 'failed' ? 'Failed' : 'Skipped', message.endedAt],
  ] as const
  return [
    { label: 'Customer', value: customerName },
    { label: 'Message', value: occasionText(message) },
    { label: 'To', value: address ? `${lineText(message)}: ${address}` : lineText(message) },
    { label: 'Status', value: reason ? `${label}: ${reason}` : label },
    { label: kind === 'letter' ? label : 'Date', value: formatDay(day) },
    ...(mailNumber ? [{ label: 'Certified Mail', value: mailNumber }] : []),
    { label: 'Renewal Date', value: formatDay(renewalDate) },
    ...times.flatMap(([label, at]) => (at ? [{ label, value: formatInstant(at, browserTimeZone()) }] : [])),
    ...(wait ? [{ label: 'Waiting', value: wait }] : []),
    ...(answer ? [{ label: 'Mail Server', value: answer }] : []),
    ...(repeats > 0 ? [{ label: 'Repeated', value: 'It may have been sent twice' }] : []),
  ]
}

function Letter({ subject, body }: { subject: string | null; body: string }) {
  return (
    <Paper withBorder p="md">
      <Text fw={600}>{subject}</Text>
      <Text size="sm" mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {body}
      </Text>
    </Paper>
  )
}
