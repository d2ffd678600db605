import { ActionIcon, Indicator } from '@mantine/core'
import { BellIcon } from '@radix-ui/react-icons'
import { trpc } from '#client/api/trpc.ts'
import { Dropdown } from '#client/ui/dropdown.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'

const POLL_MS = 30_000
const BADGE_CAP = 9
const Latest = onDemand(async () => (await import('./latest-notifications.tsx')).LatestNotifications)

/** The unread count, and the latest notifications behind it. */
export function NotificationBell() {
  const { data } = trpc.notifications.unreadCount.useQuery(undefined, { refetchInterval: POLL_MS })
  const unread = data?.count ?? 0
  return (
    <Dropdown
      role="dialog"
      label="Notifications"
      width={340}
      trigger={(trigger) => (
        <Indicator disabled={unread === 0} label={badgeOf(unread)} size={18} offset={5} color="red" zIndex={1}>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="inherit"
            size="lg"
            aria-label={nameOf(unread)}
            onPointerEnter={Latest.prefetch}
            onFocus={Latest.prefetch}
            {...trigger}
          >
            <BellIcon width={18} height={18} />
          </ActionIcon>
        </Indicator>
      )}
    >
      {(close) => <Latest.Part wanted onFollow={close} />}
    </Dropdown>
  )
}

function badgeOf(unread: number): string {
  return unread > BADGE_CAP ? `${BADGE_CAP}+` : String(unread)
}

function nameOf(unread: number): string {
  return unread === 0 ? 'Notifications' : `Notifications, ${badgeOf(unread)} unread`
}
