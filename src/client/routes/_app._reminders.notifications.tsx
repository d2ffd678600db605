import { createFileRoute, stripSearchParams, useRouter } from '@tanstack/react-router'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'
import { NotificationsSearch } from '#client/notifications/notifications-search.ts'
import { NotificationsScreen } from '#client/notifications/notifications-screen.tsx'

export const Route = createFileRoute('/_app/_reminders/notifications')({
  staticData: { title: 'Notifications' },
  validateSearch: lenientSearch(NotificationsSearch),
  search: { middlewares: [stripSearchParams(NotificationsSearch.parse({}))] },
  component: NotificationsRoute,
})

function NotificationsRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const router = useRouter()
  return (
    <NotificationsScreen
      search={search}
      onSearch={searchInAddress(search, (navigation) => void navigate(navigation))}
      onFollow={(path) => void router.navigate({ href: path })}
    />
  )
}
