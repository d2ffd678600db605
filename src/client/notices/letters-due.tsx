import { Group, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { listInput, START, type ListPosition } from '#client/list/list-position.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { CertificateOf } from '#client/mail/certificate-button.tsx'
import { formatDay } from '#client/text/format.ts'
import { Card } from '#client/ui/cards/card.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { Pager } from '#client/ui/lists/pager.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { LetterButton, MailedButton, NotMailedButton, NotPrinted } from './letter-buttons.tsx'
import { meansText, proofText, type Notice } from './notice-words.ts'
import { useUnpost } from './use-unpost.ts'

const Post = onDemand(async () => (await import('./post-dialog.tsx')).PostDialog)

/** For somebody who can open no other screen: the letters that are due, and those marked as mailed. Nothing if there are none. */
export function LettersDue() {
  const posting = useDialogAbout<Notice>()
  const unpost = useUnpost()
  return (
    <>
      <Letters show="due" title="Notices that are due" failed="Failed to load the notices that are due">
        {(notice) => <DueButtons notice={notice} onPost={() => posting.open(notice)} />}
      </Letters>
      <Letters show="given" title="Letters marked as mailed" failed="Failed to load the letters marked as mailed">
        {(notice) => (
          <Group gap="xs">
            {notice.letterReminderId !== null && (
              <CertificateOf
                path={`/reminders/${notice.letterReminderId}/certificate`}
                of={`letter to ${notice.customerName}`}
                size="compact-sm"
              />
            )}
            <NotMailedButton notice={notice} onUnpost={() => notice.contractId !== null && unpost(notice.contractId)} />
          </Group>
        )}
      </Letters>
      <Post.Part wanted={posting.opened} opened={posting.opened} notice={posting.about} onClose={posting.close} />
    </>
  )
}

interface LettersProps {
  show: 'due' | 'given'
  title: string
  failed: string
  /** What can be done with one. */
  children: (notice: Notice) => ReactNode
}

function Letters({ show, title, failed, children }: LettersProps) {
  const [position, setPosition] = useState<ListPosition>(START)
  const input = { show, letters: true, ...listInput(position) }
  const notices = trpc.notices.list.useQuery(input, { placeholderData: keepPreviousData })
  const pager = useListPager(notices, position, setPosition)
  if (notices.isError) return <QueryError query={notices} failed={failed} />
  if (!notices.data?.total) return null
  return (
    <Card title={title}>
      {show === 'due' && (
        <Text c="dimmed">No emails go out without a subscription. These customers can be told in time by letter:</Text>
      )}
      <Stack component="ul" m={0} p={0} aria-label={title} style={{ listStyle: 'none' }}>
        {notices.data.rows.map((notice) => (
          <Group key={`${notice.contractId} ${notice.renewalDate}`} component="li" justify="space-between" gap="xs">
            <Stack gap={0} flex="1 1 14rem">
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {notice.customerName}
              </Text>
              <Text size="sm">{show === 'due' ? windowText(notice) : proofText(notice)}</Text>
              {show === 'due' && <NotPrinted notice={notice} />}
            </Stack>
            {children(notice)}
          </Group>
        ))}
      </Stack>
      {pager && pager.pages.count > 1 && <Pager {...pager} />}
    </Card>
  )
}

function windowText({ from, through, means }: Notice): string {
  return `${formatDay(from)} to ${formatDay(through)}, ${meansText(means)}`
}

function DueButtons({ notice, onPost }: { notice: Notice; onPost: () => void }) {
  const today = useAccountToday()()
  return (
    <Group gap="xs">
      <LetterButton notice={notice} />
      {notice.from <= today && <MailedButton notice={notice} onPost={onPost} />}
    </Group>
  )
}
