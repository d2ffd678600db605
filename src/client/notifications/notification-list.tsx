import { BellIcon, CheckIcon } from '@radix-ui/react-icons'
import { useRef } from 'react'
import { inAppPath } from '#client/browser/in-app-path.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { useNotificationActions } from '#client/api/use-notification-actions.ts'
import classes from './notification-item.module.css'
import { NotificationItem, type Notification } from './notification-item.tsx'
import type { NotificationTab } from './notifications-search.ts'

interface NotificationListProps {
  tab: NotificationTab
  list: Notification[] | undefined
  failed: boolean
  /** When the list was fetched. */
  now: Date
  /** Goes to a screen of the app. */
  onFollow: (path: string) => void
}

export function NotificationList({ tab, list, failed, now, onFollow }: NotificationListProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { markRead, remove } = useNotificationActions()
  const open = ({ id, isRead, actionUrl }: Notification) => {
    if (!isRead) markRead(id)
    const path = inAppPath(actionUrl, location.origin)
    if (path !== undefined) onFollow(path)
  }
  const clear = ({ id }: Notification) => {
    // The focused button is removed with its notification.
    frame.current?.focus({ preventScroll: true })
    remove(id)
  }
  if (list === undefined) return failed ? null : <TableSkeleton />
  return (
    <div ref={frame} role="group" aria-label="Notifications" tabIndex={-1} className={classes.frame}>
      {list.length === 0 ? (
        <NoNotifications tab={tab} />
      ) : (
        <ul className={classes.list}>
          {list.map((notification) => (
            <NotificationItem
              key={notification.id}
              notification={notification}
              now={now}
              onOpen={() => open(notification)}
              onClear={() => clear(notification)}
            />
          ))}
        </ul>
      )}
    </div>
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
