import '@mantine/core/styles/Tabs.layer.css'
import { Box, Paper, Stack, Tabs } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { failureText } from '#client/api/failure-text.ts'
import { formatCount } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { positionOf, START } from '#client/list/list-position.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { useNotificationActions } from '#client/api/use-notification-actions.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { NotificationList } from './notification-list.tsx'
import type { NotificationsSearch, NotificationTab } from './notifications-search.ts'

interface NotificationsScreenProps {
  search: NotificationsSearch
  onSearch: (changes: Partial<NotificationsSearch>) => void
  /** Goes to a screen that a notification names. */
  onFollow: (path: string) => void
}

export function NotificationsScreen({ search, onSearch, onFollow }: NotificationsScreenProps) {
  const all = trpc.notifications.list.useQuery(tabInput('all', search), { placeholderData: keepPreviousData })
  const unread = trpc.notifications.list.useQuery(tabInput('unread', search), { placeholderData: keepPreviousData })
  const failure = all.error ?? unread.error
  const tabs = [
    { value: 'all', name: 'All', query: all },
    { value: 'unread', name: 'Unread', query: unread },
  ] as const
  return (
    <Stack gap="lg">
      <PageHeader title="Notifications" description="Renewal reminders and other important updates">
        <ListActions total={all.data?.total ?? 0} unread={unread.data?.total ?? 0} />
      </PageHeader>
      <Paper withBorder>
        <Tabs
          value={search.tab}
          onChange={(value) => onSearch({ ...START, tab: value === 'unread' ? 'unread' : 'all' })}
          keepMounted={false}
        >
          <Tabs.List px="md" pt="xs" aria-label="Notifications">
            {tabs.map(({ value, name, query: { data } }) => (
              <Tabs.Tab key={value} value={value}>
                {data ? `${name} (${formatCount(data.total)})` : name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ value, query }) => (
            <Tabs.Panel key={value} value={value}>
              <Page tab={value} query={query} failed={failure !== null} {...{ search, onSearch, onFollow }} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
      {failure && (
        <ErrorState
          over={!all.isLoadingError && !unread.isLoadingError}
          message={failureText(failure, { failed: 'Failed to fetch notifications' })}
          retrying={all.isFetching || unread.isFetching}
          onRetry={() => void Promise.all([all.refetch(), unread.refetch()])}
        />
      )}
    </Stack>
  )
}

/** What the server is asked for a tab; of the one that is not shown, the first page. */
function tabInput(tab: NotificationTab, search: NotificationsSearch) {
  const { page: _page, ...position } = tab === search.tab ? positionOf(search) : { page: 1, skip: 0 }
  return { unread: tab === 'unread', ...position }
}

interface PageProps extends NotificationsScreenProps {
  tab: NotificationTab
  query: {
    data: Outputs['notifications']['list'] | undefined
    dataUpdatedAt: number
    isPlaceholderData: boolean
  }
  failed: boolean
}

function Page({ tab, query, failed, search, onSearch, onFollow }: PageProps) {
  const pager = useListPager(query, search, onSearch)
  return (
    <>
      <NotificationList
        tab={tab}
        list={query.data?.rows}
        failed={failed}
        now={new Date(query.dataUpdatedAt)}
        onFollow={onFollow}
      />
      {pager && pager.pages.count > 1 && (
        <Box p="md">
          <Pager {...pager} />
        </Box>
      )}
    </>
  )
}

interface ListActionsProps {
  total: number
  unread: number
}

function ListActions({ total, unread }: ListActionsProps) {
  const { markAllRead, clear } = useNotificationActions()
  return (
    <>
      <ChangeButton variant="default" idle={unread === 0 || markAllRead.isPending} onClick={() => markAllRead.mutate()}>
        Mark all as read
      </ChangeButton>
      <ChangeButton variant="default" idle={total === 0 || clear.isPending} onClick={() => clear.mutate()}>
        Clear all
      </ChangeButton>
    </>
  )
}
