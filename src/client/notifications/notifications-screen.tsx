import '@mantine/core/styles/Tabs.layer.css'
import { Button, Paper, Stack, Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatCount } from '#client/text/format.ts'
import { trpc } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { useNotificationActions } from '#client/api/use-notification-actions.ts'
import { NotificationList, type NotificationTab } from './notification-list.tsx'

const LATEST = 100

interface NotificationsScreenProps {
  tab: NotificationTab
  onTab: (tab: NotificationTab) => void
  /** Goes to a screen that a notification names. */
  onFollow: (path: string) => void
  /** The ways to other screens. */
  children?: ReactNode
}

export function NotificationsScreen({ tab, onTab, onFollow, children }: NotificationsScreenProps) {
  const all = trpc.notifications.list.useQuery({ limit: LATEST })
  const unread = trpc.notifications.list.useQuery({ limit: LATEST, unread: true })
  const failure = all.error ?? unread.error
  const tabs = [
    { value: 'all', name: 'All', query: all },
    { value: 'unread', name: 'Unread', query: unread },
  ] as const
  return (
    <Stack gap="lg">
      <PageHeader title="Notifications" description="Renewal reminders and other important updates">
        {children}
        <ForAll total={all.data?.length ?? 0} unread={unread.data?.length ?? 0} />
      </PageHeader>
      <Paper withBorder>
        <Tabs value={tab} onChange={(value) => onTab(value === 'unread' ? 'unread' : 'all')} keepMounted={false}>
          <Tabs.List px="md" pt="xs" aria-label="Notifications">
            {tabs.map(({ value, name, query: { data } }) => (
              <Tabs.Tab key={value} value={value}>
                {data ? `${name} (${countText(data.length)})` : name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ value, query }) => (
            <Tabs.Panel key={value} value={value}>
              <NotificationList
                tab={value}
                list={query.data}
                failed={failure !== null}
                now={new Date(query.dataUpdatedAt)}
                onFollow={onFollow}
              />
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

interface ForAllProps {
  total: number
  unread: number
}

/** aria-disabled instead of disabled, to keep focus. */
function ForAll({ total, unread }: ForAllProps) {
  const { markAllRead, clear } = useNotificationActions()
  return (
    <>
      <Act idle={unread === 0 || markAllRead.isPending} onAct={() => markAllRead.mutate()}>
        Mark all as read
      </Act>
      <Act idle={total === 0 || clear.isPending} onAct={() => clear.mutate()}>
        Clear all
      </Act>
    </>
  )
}

interface ActProps {
  idle: boolean
  onAct: () => void
  children: string
}

function Act({ idle, onAct, children }: ActProps) {
  const state = idle ? { 'aria-disabled': true, 'data-disabled': true } : { onClick: onAct }
  return (
    <Button variant="default" {...state}>
      {children}
    </Button>
  )
}

/** Beyond the latest nothing is counted. */
function countText(count: number): string {
  return count < LATEST ? formatCount(count) : `${LATEST}+`
}
