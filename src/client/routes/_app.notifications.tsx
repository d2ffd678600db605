import { createFileRoute, stripSearchParams, useRouter } from '@tanstack/react-router'
import { inAppPath } from '#client/in-app-path.ts'
import { NOTIFICATIONS_DEFAULTS, NotificationsSearch } from '#client/notifications/notifications-search.ts'
import { NotificationsScreen } from '#client/notifications/notifications-screen.tsx'
import { searchReader } from '#client/search-params.ts'

export const Route = createFileRoute('/_app/notifications')({
  staticData: { title: 'Notifications' },
  validateSearch: searchReader(NotificationsSearch),
  search: { middlewares: [stripSearchParams(NOTIFICATIONS_DEFAULTS)] },
  component: NotificationsRoute,
})

function NotificationsRoute() {
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  const router = useRouter()
  const follow = (actionUrl: string) => {
    const path = inAppPath(actionUrl, location.origin)
    if (path !== undefined) void router.navigate({ href: path })
  }
  return (
    <NotificationsScreen
      tab={tab}
      onTab={(chosen) => void navigate({ search: { tab: chosen }, resetScroll: false })}
      onFollow={follow}
    />
  )
}
