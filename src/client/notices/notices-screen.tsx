import '@mantine/core/styles/Tabs.layer.css'
import { Anchor, Box, Button, Paper, Stack, Tabs, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NoticeList } from '#shared/schemas/notice-lists.ts'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { listInput, START } from '#client/list/list-position.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { counted } from '#client/text/counted.ts'
import { formatMoney } from '#client/text/format.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { IncompleteHint, IncompleteNotices } from './incomplete-notices.tsx'
import { NoticeEntry } from './notice-entry.tsx'
import type { Notice } from './notice-words.ts'
import type { NoticesSearch } from './notices-search.ts'
import { useUnpost } from './use-unpost.ts'

const Post = onDemand(async () => (await import('./post-dialog.tsx')).PostDialog)

interface Tab {
  show: NoticesSearch['show']
  label: string
  empty: { title: string; hint: string }
}

const TABS: Tab[] = [
  {
    show: 'due',
    label: 'Next 90 days',
    empty: {
      title: 'No notices are due',
      hint: 'No customer has to be told of a renewal in the next 90 days',
    },
  },
  {
    show: 'given',
    label: 'Given',
    empty: { title: 'No notices yet', hint: 'Notices that were given are listed here' },
  },
  {
    show: 'missed',
    label: 'Missed',
    empty: { title: 'No notices were missed', hint: 'Windows that closed without notice are listed here' },
  },
  {
    show: 'incomplete',
    label: 'Missing data',
    empty: {
      title: 'No data is missing',
      hint: 'Contracts that have a notice rule, but lack what its days are counted from, are listed here',
    },
  },
]

/** Where data is missing. */
const NONE_KNOWN = {
  title: 'No other notices are due',
  hint: 'No other customer has to be told of a renewal in the next 90 days',
}

interface NoticesScreenProps {
  search: NoticesSearch
  onSearch: (changes: Partial<NoticesSearch>) => void
}

/** Of which contracts customers must be told that they renew, of which they were, and of which they were not. */
export function NoticesScreen({ search, onSearch }: NoticesScreenProps) {
  return (
    <Stack gap="lg">
      <PageHeader
        title="Notices"
        description="Contracts that only renew by themselves if the customer is told between certain days"
      >
        <Button variant="default" renderRoot={(props) => <Link to="/notifications/settings" {...props} />}>
          Notice Rules
        </Button>
      </PageHeader>
      <Paper withBorder>
        <Tabs
          value={search.show}
          onChange={(value) => onSearch({ ...START, show: TABS.find((tab) => tab.show === value)?.show ?? 'due' })}
          keepMounted={false}
        >
          <Tabs.List px="md" pt="xs" aria-label="Notices">
            {TABS.map((tab) => (
              <Tabs.Tab key={tab.show} value={tab.show}>
                {tab.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TABS.map((tab) => (
            <Tabs.Panel key={tab.show} value={tab.show}>
              <List {...tab} search={search} onSearch={onSearch} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
    </Stack>
  )
}

function List({ show, ...list }: Tab & NoticesScreenProps) {
  if (show === 'incomplete') return <IncompleteNotices {...list} />
  if (show === 'due') return <DueNotices {...list} />
  return <Notices show={show} {...list} />
}

/** With the number of contracts that may be due as well, so that an empty list does not sound as if none were. */
function DueNotices(list: Omit<Tab, 'show'> & NoticesScreenProps) {
  const incomplete = trpc.notices.incomplete.useQuery({ limit: 1 })
  // At once with the list, which would move down otherwise. A failure is tried again below it.
  if (incomplete.isPending && incomplete.errorUpdateCount === 0) return <Placeholder heights={[240]} />
  const total = incomplete.data?.total ?? 0
  return (
    <>
      <QueryError query={incomplete} failed="Failed to check whether data is missing" />
      <IncompleteHint total={total} />
      <Notices show="due" {...list} empty={total > 0 ? NONE_KNOWN : list.empty} />
    </>
  )
}

type NoticesProps = Omit<Tab, 'show'> & NoticesScreenProps & { show: NoticeList }

function Notices({ show, label, empty, search, onSearch }: NoticesProps) {
  const input = { ...listInput(search), show }
  const notices = trpc.notices.list.useQuery(input, { placeholderData: keepPreviousData })
  const pager = useListPager(notices, search, onSearch)
  const posting = useDialogAbout<Notice>()
  const unpost = useUnpost()
  if (notices.isPending) return <Placeholder heights={[240]} />
  if (notices.error) {
    const message = failureText(notices.error, { failed: 'Failed to fetch notices' })
    return <ErrorState message={message} onRetry={() => void notices.refetch()} />
  }
  const { rows, total, amount } = notices.data
  if (total === 0) return <EmptyState {...empty} />
  return (
    <Stack gap={0}>
      <Text p="md" fw={600}>
        {summaryText(show, total, amount)}
      </Text>
      <Stack component="ul" gap={0} m={0} p={0} aria-label={label} style={{ listStyle: 'none' }}>
        {rows.map((notice) => (
          <NoticeEntry
            key={`${notice.contractId} ${notice.renewalDate} ${notice.customerName}`}
            notice={notice}
            show={show}
            onPost={() => posting.open(notice)}
            onUnpost={() => notice.contractId !== null && unpost(notice.contractId)}
          />
        ))}
      </Stack>
      {pager && pager.pages.count > 1 && (
        <Box p="md">
          <Pager {...pager} />
        </Box>
      )}
      {show === 'missed' && (
        <Text px="md" pb="md" size="sm" c="dimmed">
          {'The rule that you chose says what a missed window means. '}
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/notifications/settings" {...props} />}>
            Notice rules
          </Anchor>
        </Text>
      )}
      <Post.Part wanted={posting.opened} opened={posting.opened} notice={posting.about} onClose={posting.close} />
    </Stack>
  )
}

function summaryText(show: NoticeList, total: number, amount: number): string {
  const contracts = counted(total, 'contracts')
  if (show === 'due') return `${formatMoney(amount)} in ${contracts} depends on these notices`
  return `${formatMoney(amount)} in ${contracts}${show === 'missed' ? ' without notice' : ''}`
}
