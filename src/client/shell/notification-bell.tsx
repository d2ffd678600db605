import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { BellIcon } from '@radix-ui/react-icons'
import { trpc } from '#client/trpc.ts'
import { LatestNotifications } from './latest-notifications.tsx'

const POLL_MS = 30_000
const BADGE_CAP = 9

/** The unread count, and the latest notifications behind it. */
export function NotificationBell() {
  const [opened, panel] = useDisclosure(false)
  const { data } = trpc.notifications.unreadCount.useQuery(undefined, { refetchInterval: POLL_MS })
  const unread = data?.count ?? 0
  return (
    <Popover opened={opened} onChange={panel.set} position="bottom-end" width={340} trapFocus returnFocus>
      <Indicator disabled={unread === 0} label={badgeOf(unread)} size={18} offset={5} color="red" zIndex={1}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="inherit"
            size="lg"
            aria-label={nameOf(unread)}
            onClick={panel.toggle}
          >
            <BellIcon width={18} height={18} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <LatestNotifications onFollow={panel.close} />
      </Popover.Dropdown>
    </Popover>
  )
}

function badgeOf(unread: number): string {
  return unread > BADGE_CAP ? `${BADGE_CAP}+` : String(unread)
}

function nameOf(unread: number): string {
  return unread === 0 ? 'Notifications' : `Notifications, ${badgeOf(unread)} unread`
}
