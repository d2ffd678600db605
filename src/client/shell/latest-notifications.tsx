import { Anchor, Box, CloseButton, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { inAppPath } from '#client/browser/in-app-path.ts'
import { failureOf, trpc, type Outputs } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { useNotificationActions } from '#client/api/use-notification-actions.ts'
import classes from './latest-notifications.module.css'
import { relativeTime } from './relative-time.ts'

const LATEST = 10

type Notification = Outputs['notifications']['list']['rows'][number]

interface LatestNotificationsProps {
  onFollow: () => void
}

/** What the bell opens. */
export function LatestNotifications({ onFollow }: LatestNotificationsProps) {
  const latest = trpc.notifications.list.useQuery({ limit: LATEST })
  const now = new Date(latest.dataUpdatedAt)
  const { markRead, remove } = useNotificationActions()
  const frame = useRef<HTMLDivElement>(null)
  const clear = ({ id }: Notification) => {
    // The focused button is removed with its notification.
    frame.current?.focus({ preventScroll: true })
    remove(id)
  }
  return (
    <>
      <Box ref={frame} tabIndex={-1} mah={380} style={{ overflowY: 'auto', outline: 'none' }}>
        {latest.error && (
          <ErrorState
            message={failureOf(latest.error).message}
            retrying={latest.isFetching}
            onRetry={() => void latest.refetch()}
          />
        )}
        {latest.isPending && <Line text="Loading..." />}
        {latest.data?.rows.length === 0 && <Line text="No notifications" />}
        {latest.data?.rows.map((notification) => (
          <Item
            key={notification.id}
            notification={notification}
            now={now}
            onRead={() => markRead(notification.id)}
            onClear={() => clear(notification)}
            onFollow={onFollow}
          />
        ))}
      </Box>
      <Box p="sm" ta="center" className={classes.footer ?? ''}>
        <Anchor size="sm" fw={600} onClick={onFollow} renderRoot={(props) => <Link to="/notifications" {...props} />}>
          View all notifications
        </Anchor>
      </Box>
    </>
  )
}

interface ItemProps extends LatestNotificationsProps {
  notification: Notification
  now: Date
  onRead: () => void
  onClear: () => void
}

function Item({ notification, now, onRead, onClear, onFollow }: ItemProps) {
  const router = useRouter()
  const open = () => {
    if (!notification.isRead) onRead()
    const path = inAppPath(notification.actionUrl, location.origin)
    if (path === undefined) return
    onFollow()
    void router.navigate({ href: path })
  }
  return (
    <div className={classes.item} data-unread={!notification.isRead || undefined}>
      <UnstyledButton onClick={open} className={classes.content ?? ''}>
        <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
          <Text size="sm" fw={notification.isRead ? 500 : 700} lineClamp={1}>
            {notification.title}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {relativeTime(notification.createdAt, now)}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {notification.message}
        </Text>
        {!notification.isRead && <VisuallyHidden>Unread</VisuallyHidden>}
      </UnstyledButton>
      <CloseButton
        size="sm"
        className={classes.clear ?? ''}
        aria-label={`Clear ${notification.title}`}
        onClick={onClear}
      />
    </div>
  )
}

function Line({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" ta="center" py="lg" role="status">
      {text}
    </Text>
  )
}
