import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { CONTRACTS_DEFAULTS, ContractsSearch } from '#client/contracts/contracts-search.ts'
import { ContractsScreen } from '#client/contracts/contracts-screen.tsx'
import { listInput } from '#client/list-place.ts'
import { searchReader } from '#client/search-params.ts'

export const Route = createFileRoute('/_app/contracts')({
  staticData: { title: 'Contracts' },
  validateSearch: searchReader(ContractsSearch),
  search: { middlewares: [stripSearchParams(CONTRACTS_DEFAULTS)] },
  loaderDeps: ({ search }) => listInput(search),
  loader: ({ context: { trpcUtils }, deps }) => {
    void trpcUtils.contracts.list.prefetch(deps)
    void trpcUtils.contracts.figures.prefetch()
  },
  component: ContractsRoute,
})

function ContractsRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { session } = Route.useRouteContext()
  const change = (changes: Partial<ContractsSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...changes }),
      // Each pause in the typing of one search is not a place to come back to.
      replace: changes.search !== undefined && search.search !== undefined,
      resetScroll: false,
    })
  return <ContractsScreen search={search} onSearch={change} getToken={session.getToken} />
}
