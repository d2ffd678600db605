import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { CUSTOMERS_DEFAULTS, CustomersSearch } from '#client/customers/customers-search.ts'
import { CustomersScreen } from '#client/customers/customers-screen.tsx'
import { listInput } from '#client/list-place.ts'
import { searchReader } from '#client/search-params.ts'

export const Route = createFileRoute('/_app/customers')({
  staticData: { title: 'Customers' },
  validateSearch: searchReader(CustomersSearch),
  search: { middlewares: [stripSearchParams(CUSTOMERS_DEFAULTS)] },
  loaderDeps: ({ search }) => listInput(search),
  loader: ({ context: { trpcUtils }, deps }) => {
    void trpcUtils.customers.list.prefetch(deps)
    void trpcUtils.customers.figures.prefetch()
  },
  component: CustomersRoute,
})

function CustomersRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const change = (changes: Partial<CustomersSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...changes }),
      // Each pause in the typing of one search is not a place to come back to.
      replace: changes.search !== undefined && search.search !== undefined,
      resetScroll: false,
    })
  return <CustomersScreen search={search} onSearch={change} />
}
