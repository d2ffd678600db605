import { Group, Stack, Text } from '@mantine/core'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { formatDay } from '#client/text/format.ts'
import { Card } from '#client/ui/cards/card.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { LetterButton, MailedButton, NotPrinted } from './letter-buttons.tsx'
import type { Notice } from './notice-words.ts'

const Post = onDemand(async () => (await import('./post-dialog.tsx')).PostDialog)

/** The letters that are due, for somebody who can open no other screen; nothing if there are none. */
export function LettersDue() {
  const { data, ...query } = trpc.notices.list.useQuery({ show: 'due' })
  const today = useAccountToday()()
  const posting = useDialogAbout<Notice>()
  if (query.isError) return <QueryError query={query} failed="Failed to load the notices that are due" />
  const letters = data?.rows.filter(({ means }) => means.includes('letter')) ?? []
  if (letters.length === 0) return null
  return (
    <Card title="Notices that are due">
      <Text c="dimmed">
        No emails go out without a subscription. What your customers have to be told in time can be mailed as a letter:
      </Text>
      <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {letters.map((notice) => (
          <Group component="li" key={`${notice.contractId} ${notice.renewalDate}`} justify="space-between" gap="xs">
            <Stack gap={0} flex="1 1 12rem">
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {notice.customerName}
              </Text>
              <Text size="sm">{`${formatDay(notice.from)} to ${formatDay(notice.through)}`}</Text>
              <NotPrinted notice={notice} />
            </Stack>
            <Group gap="xs">
              <LetterButton notice={notice} />
              {notice.from <= today && <MailedButton notice={notice} onPost={() => posting.open(notice)} />}
            </Group>
          </Group>
        ))}
      </Stack>
      <Post.Part wanted={posting.opened} opened={posting.opened} notice={posting.about} onClose={posting.close} />
    </Card>
  )
}
