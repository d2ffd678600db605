import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { NoticesScreen } from '#client/notices/notices-screen.tsx'
import { NoticesSearch } from '#client/notices/notices-search.ts'

export const Route = createFileRoute('/_app/_reminders/notices')({
  staticData: { title: 'Notices' },
  validateSearch: lenientSearch(NoticesSearch),
  search: { middlewares: [stripSearchParams(NoticesSearch.parse({}))] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { trpcUtils }, deps }) => void trpcUtils.notices.list.prefetch(deps),
  component: NoticesRoute,
})

function NoticesRoute() {
  const { show } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <NoticesScreen show={show} onShow={(chosen) => void navigate({ search: { show: chosen }, resetScroll: false })} />
  )
}
