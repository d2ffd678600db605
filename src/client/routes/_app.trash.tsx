import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { listInput } from '#client/list/list-position.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'
import { TrashScreen } from '#client/trash/trash-screen.tsx'
import { TrashSearch } from '#client/trash/trash-search.ts'

export const Route = createFileRoute('/_app/trash')({
  staticData: { title: 'Trash' },
  validateSearch: lenientSearch(TrashSearch),
  search: { middlewares: [stripSearchParams(TrashSearch.parse({}))] },
  loaderDeps: ({ search }) => listInput(search),
  loader: ({ context: { trpcUtils }, deps }) => void trpcUtils.trash.list.prefetch(deps),
  component: TrashRoute,
})

function TrashRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return <TrashScreen search={search} onSearch={searchInAddress(search, (navigation) => void navigate(navigation))} />
}
