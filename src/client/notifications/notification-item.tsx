import { ActionIcon, Badge, Group, Text, UnstyledButton } from '@mantine/core'
import { Cross2Icon } from '@radix-ui/react-icons'
import { browserTimeZone } from '#client/text/format.ts'
import type { Outputs } from '#client/api/trpc.ts'
import classes from './notification-item.module.css'
import { TYPE_BADGES, whenText, withUnbrokenDates } from './notification-words.ts'

export type Notification = Outputs['notifications']['list']['rows'][number]

interface NotificationItemProps {
  notification: Notification
  /** The current time. */
  now: Date
  onOpen: () => void
  onClear: () => void
}

/** A button where there is something to do: to mark it read, or to follow it. */
export function NotificationItem({ notification, now, onOpen, onClear }: NotificationItemProps) {
  const { isRead, actionUrl, title } = notification
  return (
    <li className={classes.item} data-unread={!isRead || undefined}>
      {isRead && !actionUrl ? (
        <div className={classes.content}>
          <Content notification={notification} now={now} />
        </div>
      ) : (
        <UnstyledButton className={classes.content ?? ''} onClick={onOpen}>
          <Content notification={notification} now={now} />
        </UnstyledButton>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.clear ?? ''}
        aria-label={`Clear ${title}`}
        onClick={onClear}
      >
        <Cross2Icon />
      </ActionIcon>
    </li>
  )
}

function Content({ notification, now }: Omit<NotificationItemProps, 'onOpen' | 'onClear'>) {
  const { type, title, message, isRead, createdAt } = notification
  const { label, color } = TYPE_BADGES[type]
  return (
    <>
      <span className={classes.heading}>
        {!isRead && <span className={classes.dot} role="img" aria-label="Unread" />}
        <Group component="span" gap="xs">
          <Text component="span" fw={isRead ? 500 : 700}>
            {title}
          </Text>
          <Badge component="span" color={color}>
            {label}
          </Badge>
        </Group>
      </span>
      <Text component="span" display="block" size="sm">
        {withUnbrokenDates(message)}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed">
        {whenText(createdAt, { now, timeZone: browserTimeZone() })}
      </Text>
    </>
  )
}
