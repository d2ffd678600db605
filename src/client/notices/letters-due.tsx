import { Group, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { listInput, START, type ListPosition } from '#client/list/list-position.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { formatDay } from '#client/text/format.ts'
import { Card } from '#client/ui/cards/card.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { Pager } from '#client/ui/lists/pager.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { LetterButton, MailedButton, NotPrinted } from './letter-buttons.tsx'
import { meansText, type Notice } from './notice-words.ts'

const Post = onDemand(async () => (await import('./post-dialog.tsx')).PostDialog)

/** The notices that are due, for somebody who can open no other screen; nothing if there are none. */
export function LettersDue() {
  const [position, setPosition] = useState<ListPosition>(START)
  const notices = trpc.notices.list.useQuery(
    { show: 'due', ...listInput(position) },
    { placeholderData: keepPreviousData },
  )
  const pager = useListPager(notices, position, setPosition)
  const posting = useDialogAbout<Notice>()
  if (notices.isError) return <QueryError query={notices} failed="Failed to load the notices that are due" />
  if (!notices.data?.total) return null
  return (
    <Card title="Notices that are due">
      <Text c="dimmed">
        No emails go out without a subscription. Where letters count, your customers can be told in time by letter:
      </Text>
      <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {notices.data.rows.map((notice) => (
          <Due key={`${notice.contractId} ${notice.renewalDate}`} notice={notice} onPost={() => posting.open(notice)} />
        ))}
      </Stack>
      {pager && pager.pages.count > 1 && <Pager {...pager} />}
      <Post.Part wanted={posting.opened} opened={posting.opened} notice={posting.about} onClose={posting.close} />
    </Card>
  )
}

function Due({ notice, onPost }: { notice: Notice; onPost: () => void }) {
  const today = useAccountToday()()
  const { customerName, from, through, means } = notice
  const isByLetter = means.includes('letter')
  return (
    <Group component="li" justify="space-between" gap="xs">
      <Stack gap={0} flex="1 1 14rem">
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {customerName}
        </Text>
        <Text size="sm">{`${formatDay(from)} to ${formatDay(through)}, ${meansText(means)}`}</Text>
        {isByLetter && <NotPrinted notice={notice} />}
      </Stack>
      {isByLetter && (
        <Group gap="xs">
          <LetterButton notice={notice} />
          {from <= today && <MailedButton notice={notice} onPost={onPost} />}
        </Group>
      )}
    </Group>
  )
}
