import { Anchor, Stack } from '@mantine/core'
import { createFileRoute, Link, stripSearchParams } from '@tanstack/react-router'
import { ContractsSearch } from '#client/contracts/contracts-search.ts'
import { ContractsScreen } from '#client/contracts/contracts-screen.tsx'
import { BulkActions } from '#client/imports/bulk-actions.tsx'
import { filterOf, listInput } from '#client/list/list-position.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'
import { onDemand } from '#client/ui/on-demand.tsx'

const Reminders = onDemand(
  async () => (await import('#client/reminders/settings/contract-reminders.tsx')).ContractReminders,
)

export const Route = createFileRoute('/_app/contracts')({
  staticData: { title: 'Contracts' },
  ssr: true,
  validateSearch: lenientSearch(ContractsSearch),
  search: { middlewares: [stripSearchParams(ContractsSearch.parse({}))] },
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
  const change = searchInAddress(search, (navigation) => void navigate(navigation))
  return (
    <ContractsScreen
      search={search}
      onSearch={change}
      reminders={({ id }) => (
        <Stack key={id}>
          <Anchor renderRoot={(props) => <Link to="/contracts/$id" params={{ id }} {...props} />}>
            Terms and Renewal
          </Anchor>
          <Reminders.Part wanted contractId={id} />
        </Stack>
      )}
      actions={<BulkActions kind="contracts" filter={filterOf(search)} />}
    />
  )
}
