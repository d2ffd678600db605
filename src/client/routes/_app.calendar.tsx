import { createFileRoute } from '@tanstack/react-router'
import { CalendarSearch } from '#client/calendar/calendar-search.ts'
import { CalendarScreen } from '#client/calendar/calendar-screen.tsx'
import { lenientSearch } from '#client/list/lenient-search.ts'

export const Route = createFileRoute('/_app/calendar')({
  staticData: { title: 'Calendar' },
  validateSearch: lenientSearch(CalendarSearch),
  component: CalendarRoute,
})

function CalendarRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <CalendarScreen
      search={search}
      onGo={(to, { within } = { within: false }) => void navigate({ search: to, replace: within, resetScroll: false })}
    />
  )
}
