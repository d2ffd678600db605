import { Button } from '@mantine/core'
import { createFileRoute, Link, stripSearchParams, useRouter } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { oneOf } from '#shared/schemas/filters.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { NotificationsScreen } from '#client/notifications/notifications-screen.tsx'

const Search = z.object({ tab: z._default(oneOf(['all', 'unread']), 'all') })

export const Route = createFileRoute('/_app/notifications')({
  staticData: { title: 'Notifications' },
  validateSearch: lenientSearch(Search),
  search: { middlewares: [stripSearchParams(Search.parse({}))] },
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
