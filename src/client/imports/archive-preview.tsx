import { Button, Stack, Text } from '@mantine/core'
import { formatCount, formatMoney } from '#client/text/format.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import classes from './archive-preview.module.css'
import type { ArchiveResult } from './archive-result.ts'
import { QuestionStep } from './question-step.tsx'

interface ArchivePreviewProps {
  preview: ArchiveResult
  onImport: (reminders?: string) => void
  onCancel: () => void
}

/** What an archive would bring. Whether customers then get emails has to be chosen, if there would be any. */
export function ArchivePreview({ preview, onImport, onCancel }: ArchivePreviewProps) {
  const { mail, confirmsRenewals } = preview
  return (
    <Stack>
      <Text>The archive can be imported. Your account will then have:</Text>
      <Contents {...preview} />
      <LeftOut {...preview} />
      {confirmsRenewals && (
        <Text size="sm">
          Customers will get an email when their contracts are renewed: the settings in the archive turn this on.
        </Text>
      )}
      {mail.emails > 0 ? (
        <>
          <Text size="sm">
            If the exported account stays in use, its customers will get emails from both accounts, unless you turn them
            off in one of them.
          </Text>
          <QuestionStep question={{ ...ABOUT_MAIL, mail }} onReply={onImport} onCancel={onCancel} />
        </>
      ) : (
        <>
          <Text size="sm">
            Customers will get no {confirmsRenewals ? 'reminders' : 'emails'} about these contracts in the next 90 days.
          </Text>
          <DialogButtons>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button onClick={() => onImport()}>Import</Button>
          </DialogButtons>
        </>
      )}
    </Stack>
  )
}

const ABOUT_MAIL = {
  parameter: 'reminders' as const,
  text: 'Send emails to customers about these contracts?',
  choices: [
    { value: 'on', label: 'Send emails' },
    { value: 'off', label: 'Do not send emails about the current renewal dates' },
  ],
}

function Contents({ counts, figures }: ArchiveResult) {
  const rows: [string, string][] = [
    ['Customers', formatCount(counts.customers)],
    ['Contracts', formatCount(counts.contracts)],
    ['Active contracts', formatCount(figures.activeContracts)],
    ['Total revenue', formatMoney(figures.totalRevenue)],
    ['Monthly revenue', formatMoney(figures.monthlyRevenue)],
    ['Overdue', formatCount(figures.overdue)],
    ...OTHERS.flatMap(([name, label]): [string, string][] => {
      return counts[name] > 0 ? [[label, formatCount(counts[name])]] : []
    }),
  ]
  return (
    <table className={classes.contents}>
      <tbody>
        {rows.map(([label, value]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const OTHERS: [keyof ArchiveResult['counts'], string][] = [
  ['contacts', 'Additional contacts'],
  ['terms', 'Earlier terms'],
  ['notes', 'Notes'],
  ['tags', 'Tags'],
  ['views', 'Saved views'],
  ['pdfs', 'PDFs'],
  ['changes', 'Recorded changes'],
  ['messages', 'Past messages'],
  ['closedAddresses', 'Unsubscribed addresses'],
  ['inTrash', 'In the trash'],
]

/** What does not come along, in every case and in this one. */
function LeftOut({ leftOut }: Pick<ArchiveResult, 'leftOut'>) {
  const sentences = SENTENCES.flatMap(([name, write]) => (leftOut[name] > 0 ? [write(leftOut[name])] : []))
  return (
    <Text size="sm" c="dimmed">
      {[ALWAYS, ...sentences].join(' ')}
    </Text>
  )
}

const ALWAYS =
  'API keys, billing, notifications, the time zone, proofs of earlier emails, and the list of earlier imports are not imported. Your settings, message texts, tags, and saved views are replaced by those in the archive.'

const SENTENCES: [keyof ArchiveResult['leftOut'], (count: number) => string][] = [
  ['missingPdfs', (count) => `${ofPdfs(count)} missing from the archive.`],
  [
    'waitingMessages',
    (count) =>
      `${count === 1 ? '1 message was' : `${formatCount(count)} messages were`} waiting to be sent, and will be listed as skipped.`,
  ],
  [
    'views',
    (count) =>
      `${count === 1 ? '1 saved view of a customer who no longer exists is' : `${formatCount(count)} saved views of customers who no longer exist are`} left out.`,
  ],
  [
    'textsWithLinks',
    (count) =>
      `${count === 1 ? '1 message text has links and is' : `${formatCount(count)} message texts have links and are`} left out until your first payment.`,
  ],
]

function ofPdfs(count: number): string {
  return count === 1 ? '1 PDF is' : `${formatCount(count)} PDFs are`
}
