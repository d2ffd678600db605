import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'
import { NoticesScreen } from '#client/notices/notices-screen.tsx'
import { NoticesSearch } from '#client/notices/notices-search.ts'

export const Route = createFileRoute('/_app/_reminders/notices')({
  staticData: { title: 'Notices' },
  validateSearch: lenientSearch(NoticesSearch),
  search: { middlewares: [stripSearchParams(NoticesSearch.parse({}))] },
  component: NoticesRoute,
})

function NoticesRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return <NoticesScreen search={search} onSearch={searchInAddress(search, (navigation) => void navigate(navigation))} />
}
