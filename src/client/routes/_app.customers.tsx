import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { CUSTOMERS_DEFAULTS, customersSearch, type CustomersSearch } from '#client/customers/customers-search.ts'
import { CustomersScreen } from '#client/customers/customers-screen.tsx'
import { BulkActions } from '#client/imports/bulk-actions.tsx'
import { changed, filterOf, listInput } from '#client/list/list-position.ts'

export const Route = createFileRoute('/_app/customers')({
  staticData: { title: 'Customers' },
  validateSearch: customersSearch,
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
      search: (before) => changed(before, search, changes),
      // Neither a dialog that was closed nor each pause in the typing of one search is a place to come back to.
      replace: 'open' in changes || (changes.search !== undefined && search.search !== undefined),
      resetScroll: false,
    })
  return (
    <CustomersScreen
      search={search}
      onSearch={change}
      actions={<BulkActions kind="customers" filter={filterOf(search)} />}
    />
  )
}
