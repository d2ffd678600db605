import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { NoticeList } from '#shared/schemas/notice-lists.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { CertificateOf } from '#client/mail/certificate-button.tsx'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { Explained } from '#client/ui/explained.tsx'
import { ClosingSoon } from './closing-soon.tsx'
import { LetterButton, MailedButton, NotMailedButton, NotPrinted } from './letter-buttons.tsx'
import { meansText, missedText, proofsOf, type Notice, type NoticeProof } from './notice-words.ts'

interface NoticeEntryProps {
  notice: Notice
  show: NoticeList
  onPost: () => void
  onUnpost: () => void
}

/** One notice in the list of them. */
export function NoticeEntry({ notice, show, onPost, onUnpost }: NoticeEntryProps) {
  const today = useAccountToday()()
  const { from, through, derivation, amount, renewalDate, means, consequence, ruleName } = notice
  const isOpen = from <= today
  // Until the next term begins, what was mailed in time can be noted, also once the window has closed.
  const isRunning = notice.contractId !== null && today < renewalDate
  return (
    <Group
      component="li"
      justify="space-between"
      align="flex-start"
      gap="xs"
      p="md"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <Stack gap={2} flex="1 1 16rem">
        <Group gap="xs">
          <Name notice={notice} />
          {show === 'due' && <Badge color={isOpen ? 'yellow' : 'gray'}>{isOpen ? 'Due now' : 'Later'}</Badge>}
        </Group>
        <Text size="sm">
          <Explained how={derivation}>{`${formatDay(from)} to ${formatDay(through)}`}</Explained>
          {`, ${meansText(means)}`}
        </Text>
        {notice.warning && <ClosingSoon warning={notice.warning} />}
        {show === 'given' &&
          proofsOf(notice).map((proof) => <Proof key={proof.by} {...proof} of={notice.customerName} />)}
        {show === 'missed' && <Text size="sm">{missedText(consequence)}</Text>}
        {show === 'due' && means.includes('letter') && <NotPrinted notice={notice} />}
        <Text size="sm" c="dimmed">
          {`Renewal on ${formatDay(renewalDate)}: ${formatMoney(amount)}. Rule: ${ruleName}`}
        </Text>
      </Stack>
      {show !== 'given' && means.includes('letter') && (
        <Group gap="xs">
          {show === 'due' && <LetterButton notice={notice} />}
          {isOpen && (show === 'due' || isRunning) && <MailedButton notice={notice} onPost={onPost} />}
        </Group>
      )}
      {show === 'given' && notice.postedOn !== null && isRunning && (
        <NotMailedButton notice={notice} onUnpost={onUnpost} />
      )}
    </Group>
  )
}

/** By what notice was given, with its certificate. */
function Proof({ by, text, reminderId, of }: NoticeProof & { of: string }) {
  return (
    <Group gap="xs">
      <Text size="sm">{text}</Text>
      {reminderId !== null && (
        <CertificateOf path={`/reminders/${reminderId}/certificate`} of={`${by} to ${of}`} size="compact-sm" />
      )}
    </Group>
  )
}

function Name({ notice: { contractId, customerName } }: { notice: Notice }) {
  if (contractId === null) return <Text fw={500}>{customerName}</Text>
  return (
    <Anchor fw={500} renderRoot={(props) => <Link to="/contracts/$id" params={{ id: contractId }} {...props} />}>
      {customerName}
    </Anchor>
  )
}
