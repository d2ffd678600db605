import { UnstyledButton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { useTrashActions } from '#client/api/use-trash-actions.ts'
import { FigureCards } from '#client/list/figure-cards.tsx'
import { listInput, START } from '#client/list/list-position.ts'
import { ListScreen } from '#client/list/list-screen.tsx'
import { openedFrom } from '#client/list/opened-from.ts'
import { useEntityDialogs } from '#client/list/use-entity-dialogs.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { useNewRows, withNewRows } from '#client/list/use-new-rows.ts'
import type { RenderLink } from '#client/ui/cards/stat-card.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { customerFigures } from './customer-figures.ts'
import { hasFilter, NO_FILTER } from './customer-filters.ts'
import type { CustomersSearch } from './customers-search.ts'
import { CustomersTable } from './customers-table.tsx'
import { CustomersToolbar } from './customers-toolbar.tsx'

const FAILURE = { failed: 'Failed to fetch customers', network: 'Network error occurred' }
const Dialogs = onDemand(async () => (await import('./customer-dialogs.tsx')).CustomerDialogs)

interface CustomersScreenProps {
  /** From the address. */
  search: CustomersSearch
  onSearch: (changes: Partial<CustomersSearch>) => void
  onOpen: (id: number, state: ReturnType<typeof openedFrom>) => void
  /** Buttons beside the one that adds. */
  actions?: ReactNode
}

export function CustomersScreen({ search, onSearch, onOpen, actions }: CustomersScreenProps) {
  const list = trpc.customers.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const figures = trpc.customers.figures.useQuery()
  const pager = useListPager(list, search, onSearch)
  const filter = (changes: Partial<CustomersSearch>) => onSearch({ ...START, ...changes })
  const { ids: newIds, onAdded } = useNewRows(search)
  const added = trpc.useQueries((queries) => newIds.map((id) => queries.customers.get({ id })))
  const rows = withNewRows(list.data?.rows, added)
  const address = { isNew: search.open === 'new', onClosed: () => onSearch({ open: undefined }) }
  const dialogs = useEntityDialogs(rows, address)
  const { deleteCustomer } = useTrashActions()
  const isFiltered = hasFilter(search)
  const today = useAccountToday()
  const month = figures.data?.month
  return (
    <ListScreen
      title="Customers"
      description="The people and companies you work with"
      addLabel="Add Customer"
      onAdd={() => dialogs.form.open()}
      actions={actions}
      list={list}
      figures={figures}
      failure={FAILURE}
      cards={<FigureCards cards={customerFigures(month)} figures={figures} linkTo={filterBy(filter)} />}
      toolbar={<CustomersToolbar search={search} month={month ?? today().slice(0, 7)} onFilter={filter} />}
      empty={{
        title: 'No customers found',
        hint: isFiltered ? 'Try adjusting your search criteria' : 'Start by adding your first customer',
        onClear: isFiltered ? () => filter(NO_FILTER) : undefined,
      }}
      Table={CustomersTable}
      rows={rows}
      newIds={newIds}
      rowActions={{
        onEdit: dialogs.form.open,
        onDelete: (customer) => deleteCustomer(customer),
        onOpen: ({ id }) => onOpen(id, openedFrom(id, search, list.data)),
        hrefOf: ({ id }) => `/customers/${id}`,
      }}
      search={search}
      onFilter={filter}
      pager={pager}
      onNear={Dialogs.prefetch}
    >
      <Dialogs.Part wanted={dialogs.isOpen} dialogs={dialogs} onAdded={onAdded} />
    </ListScreen>
  )
}

/** A figure filters the list below it. */
function filterBy(filter: CustomersScreenProps['onSearch']) {
  return (counted: Partial<CustomersSearch>): RenderLink =>
    (props) => <UnstyledButton {...props} onClick={() => filter({ ...NO_FILTER, ...counted })} />
}
