import { Stack } from '@mantine/core'
import { BellIcon, CheckIcon } from '@radix-ui/react-icons'
import { failureText } from '#client/failure-text.ts'
import { trpc } from '#client/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import type { FlashControl } from '#client/ui/flash.tsx'
import { TableSkeleton } from '#client/ui/table-skeleton.tsx'
import { NotificationItem, type Notification } from './notification-item.tsx'
import type { NotificationsSearch } from './notifications-search.ts'

interface NotificationListProps {
  tab: NotificationsSearch['tab']
  list: Notification[] | undefined
  failed: boolean
  /** When the list was fetched. */
  now: Date
  flash: FlashControl
  onFollow: (actionUrl: string) => void
}

export function NotificationList({ tab, list, failed, now, flash, onFollow }: NotificationListProps) {
  const utils = trpc.useUtils()
  const markRead = trpc.notifications.markRead.useMutation({
    onSuccess: () => utils.notifications.invalidate(),
    onError: (error) => flash.fail(failureText(error, { failed: 'Failed to mark the notification as read' })),
  })
  const open = ({ id, isRead, actionUrl }: Notification) => {
    if (!isRead) markRead.mutate({ id })
    if (actionUrl) onFollow(actionUrl)
  }
  if (list === undefined) return failed ? null : <TableSkeleton />
  if (list.length === 0) return <NoNotifications tab={tab} />
  return (
    <Stack component="ul" gap={0} p={0} m={0}>
      {list.map((notification) => (
        <NotificationItem
          key={notification.id}
          notification={notification}
          now={now}
          onOpen={() => open(notification)}
        />
      ))}
    </Stack>
  )
}

function NoNotifications({ tab }: Pick<NotificationListProps, 'tab'>) {
  if (tab === 'unread') {
    return (
      <EmptyState title="No unread notifications" hint="You're all caught up!" icon={<CheckIcon {...ICON_SIZE} />} />
    )
  }
  return (
    <EmptyState
      title="No notifications"
      hint="You'll see renewal reminders and other important updates here."
      icon={<BellIcon {...ICON_SIZE} />}
    />
  )
}

const ICON_SIZE = { width: 20, height: 20 }
