import { keepPreviousData } from '@tanstack/react-query'
import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { useTrashActions } from '#client/api/use-trash-actions.ts'
import type { Counted } from '#client/list/counted-link.tsx'
import { FigureCards } from '#client/list/figure-cards.tsx'
import { filterOf, listInput, START } from '#client/list/list-position.ts'
import { ListScreen } from '#client/list/list-screen.tsx'
import { openedFrom } from '#client/list/opened-from.ts'
import { useEntityDialogs } from '#client/list/use-entity-dialogs.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { useNewRows, withNewRows } from '#client/list/use-new-rows.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import type { PagerProps } from '#client/ui/lists/pager.tsx'
import type { RenderLink } from '#client/ui/cards/stat-card.tsx'
import { useSelection } from './bulk/use-selection.ts'
import type { Contract } from './form/contract-form.ts'
import { CONTRACT_FIGURES } from './contract-figures.ts'
import { hasAny, NO_FILTER } from './contract-filters.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { ContractsTable } from './contracts-table.tsx'
import { ContractsToolbar } from './contracts-toolbar.tsx'
import { PdfProvider } from './pdf/pdf-provider.tsx'

const FAILURE = { failed: 'Failed to fetch contracts' }
const BulkBar = onDemand(async () => (await import('./bulk/bulk-bar.tsx')).BulkBar)
const Dialogs = onDemand(async () => (await import('./contract-dialogs.tsx')).ContractDialogs)

const NO_ROWS: Contract[] = []

interface ContractsScreenProps {
  /** From the address. */
  search: ContractsSearch
  onSearch: (changes: Partial<ContractsSearch>) => void
  onOpen: (id: number, state: ReturnType<typeof openedFrom>) => void
  /** Buttons beside the one that adds. */
  actions?: ReactNode
}

export function ContractsScreen({ search, onSearch, onOpen, actions }: ContractsScreenProps) {
  const { list, figures, change, pager, rows, newIds, onAdded } = useContractList(search, onSearch)
  const filter = (changes: Partial<ContractsSearch>) => onSearch({ ...START, ...changes })
  const isFiltered = hasAny(search, NO_FILTER)
  const address = { isNew: search.open === 'new', onClosed: () => onSearch({ open: undefined }) }
  const dialogs = useEntityDialogs(rows, address)
  const { deleteContract } = useTrashActions()
  const { selection, table, selectAll, clear } = useSelection(filterOf(search), rows ?? NO_ROWS)
  return (
    <PdfProvider contracts={rows ?? NO_ROWS}>
      <ListScreen
        title="Contracts"
        description="Your agreements and when they renew"
        addLabel="Add Contract"
        onAdd={() => dialogs.form.open()}
        actions={actions}
        list={list}
        figures={figures}
        failure={FAILURE}
        cards={<FigureCards cards={CONTRACT_FIGURES} figures={figures} linkTo={filterBy(filter)} />}
        toolbar={<ContractsToolbar search={search} onFilter={filter} />}
        empty={{
          title: 'No contracts found',
          hint: isFiltered ? 'Try adjusting your search or filters' : 'Start by adding your first contract',
          onClear: isFiltered ? () => filter(NO_FILTER) : undefined,
        }}
        Table={ContractsTable}
        rows={rows}
        newIds={newIds}
        rowActions={{
          onEdit: dialogs.form.open,
          onDelete: (contract) => deleteContract(contract),
          onOpen: ({ id }) => onOpen(id, openedFrom(id, search, list.data)),
          hrefOf: ({ id }) => `/contracts/${id}`,
          selection: table,
        }}
        search={search}
        onFilter={filter}
        pager={pager && withoutNumbers(pager)}
        onNear={Dialogs.prefetch}
      >
        {(change.data || selection.isAll || selection.ids.size > 0) && (
          <BulkBar.Part
            wanted
            selection={selection}
            filter={filterOf(search)}
            total={list.data?.total ?? 0}
            onSelectAll={selectAll}
            onClear={clear}
          />
        )}
        <Dialogs.Part wanted={dialogs.isOpen} form={dialogs.form} onAdded={onAdded} />
      </ListScreen>
    </PdfProvider>
  )
}

/** The list and its figures, with rows that were added while it was shown. */
function useContractList(search: ContractsSearch, onSearch: ContractsScreenProps['onSearch']) {
  const list = trpc.contracts.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const figures = trpc.contracts.figures.useQuery()
  // Of many contracts: it may be running still, or wait to be looked at.
  const change = trpc.bulk.latest.useQuery()
  const pager = useListPager(list, search, onSearch)
  const { ids: newIds, onAdded } = useNewRows(search)
  const added = trpc.useQueries((queries) => newIds.map((id) => queries.contracts.get({ id })))
  return { list, figures, change, pager, rows: withNewRows(list.data?.rows, added), newIds, onAdded }
}

/** A figure filters the list below it. */
function filterBy(filter: ContractsScreenProps['onSearch']) {
  return (counted: Counted): RenderLink =>
    (props) => (
      <UnstyledButton {...props} onClick={() => filter({ ...NO_FILTER, ...(counted !== 'customers' && counted) })} />
    )
}

function withoutNumbers({ range, onPrevious, onNext }: PagerProps) {
  return { range, onPrevious, onNext }
}
