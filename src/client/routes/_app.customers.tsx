import { createFileRoute, redirect, stripSearchParams } from '@tanstack/react-router'
import { CustomersSearch } from '#client/customers/customers-search.ts'
import { CustomersScreen } from '#client/customers/customers-screen.tsx'
import { BulkActions } from '#client/imports/bulk-actions.tsx'
import { filterOf, listInput } from '#client/list/list-position.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'

export const Route = createFileRoute('/_app/customers')({
  staticData: { title: 'Customers' },
  ssr: true,
  validateSearch: lenientSearch(CustomersSearch),
  search: { middlewares: [stripSearchParams(CustomersSearch.parse({}))] },
  beforeLoad: ({ search: { open } }) => {
    // Addresses in mail and notifications from before there were pages.
    if (typeof open === 'number') redirect({ to: '/customers/$id', params: { id: open }, replace: true, throw: true })
  },
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
  const change = searchInAddress(search, (navigation) => void navigate(navigation))
  return (
    <CustomersScreen
      search={search}
      onSearch={change}
      onOpen={(id, state) => void navigate({ to: '/customers/$id', params: { id }, state })}
      actions={<BulkActions kind="customers" filter={filterOf(search)} />}
    />
  )
}
