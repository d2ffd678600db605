import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { ContractsSearch } from '#client/contracts/contracts-search.ts'
import { ContractsScreen } from '#client/contracts/contracts-screen.tsx'
import { BulkActions } from '#client/imports/bulk-actions.tsx'
import { filterOf, listInput } from '#client/list/list-position.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'

export const Route = createFileRoute('/_app/contracts')({
  staticData: { title: 'Contracts' },
  ssr: true,
  validateSearch: lenientSearch(ContractsSearch),
  search: { middlewares: [stripSearchParams(ContractsSearch.parse({}))] },
  beforeLoad: ({ search: { open } }) => {
    // Addresses in mail and notifications from before there were pages.
    if (typeof open === 'number') redirect({ to: '/contracts/$id', params: { id: open }, replace: true, throw: true })
  },
  loaderDeps: ({ search }) => listInput(search),
  loader: ({ context: { trpcUtils }, deps }) => {
    void trpcUtils.contracts.list.prefetch(deps)
    void trpcUtils.contracts.figures.prefetch()
    void trpcUtils.views.list.prefetch()
    void trpcUtils.views.listSettings.prefetch()
  },
  component: ContractsRoute,
})

function ContractsRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const change = searchInAddress(search, (navigation) => void navigate(navigation))
  return (
    <ContractsScreen
      search={search}
      onSearch={change}
      onOpen={(id, state) => void navigate({ to: '/contracts/$id', params: { id }, state })}
      actions={<BulkActions kind="contracts" filter={filterOf(search)} />}
    />
  )
}
