import { Button } from '@mantine/core'
import { createFileRoute, Link, stripSearchParams, useRouter } from '@tanstack/react-router'
import { NOTIFICATIONS_DEFAULTS, notificationsSearch } from '#client/notifications/notifications-search.ts'
import { NotificationsScreen } from '#client/notifications/notifications-screen.tsx'

export const Route = createFileRoute('/_app/notifications')({
  staticData: { title: 'Notifications' },
  validateSearch: notificationsSearch,
  search: { middlewares: [stripSearchParams(NOTIFICATIONS_DEFAULTS)] },
  component: NotificationsRoute,
})

function NotificationsRoute() {
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  const router = useRouter()
  return (
    <NotificationsScreen
      tab={tab}
      onTab={(chosen) => void navigate({ search: { tab: chosen }, resetScroll: false })}
      onFollow={(path) => void router.navigate({ href: path })}
    >
      <Button variant="default" renderRoot={(props) => <Link to="/reminders" {...props} />}>
        Reminders
      </Button>
      <Button variant="default" renderRoot={(props) => <Link to="/notifications/settings" {...props} />}>
        Settings
      </Button>
    </NotificationsScreen>
  )
}
