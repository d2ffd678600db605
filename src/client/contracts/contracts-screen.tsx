import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { FigureCards } from '#client/list/figure-cards.tsx'
import { hasPager, ListPager } from '#client/list/list-pager.tsx'
import { listInput, START } from '#client/list/list-position.ts'
import { ListScreen } from '#client/list/list-screen.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import type { PagerProps } from '#client/ui/pager.tsx'
import type { Contract } from './contract-form.ts'
import { CONTRACT_FIGURES } from './contract-figures.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { ContractsTable } from './contracts-table.tsx'
import { ContractsToolbar } from './contracts-toolbar.tsx'
import { PdfPicker } from './pdf-picker.tsx'
import { useContractDialogs } from './use-contract-dialogs.ts'
import { usePdfs } from './use-pdfs.ts'

const Dialogs = onDemand(async () => (await import('./contract-dialogs.tsx')).ContractDialogs)

interface ContractsScreenProps {
  /** What the address says. */
  search: ContractsSearch
  onSearch: (changes: Partial<ContractsSearch>) => void
  /** What else can be done with the list, beside adding to it. */
  actions?: ReactNode
  /** What is told of a contract's reminders among its details. */
  reminders?: ((contract: Contract) => ReactNode) | undefined
}

export function ContractsScreen({ search, onSearch, actions, reminders }: ContractsScreenProps) {
  const list = trpc.contracts.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const figures = trpc.contracts.figures.useQuery()
  const pager = useListPager(list, search, onSearch)
  const rows = list.data?.rows
  const filter = (changes: Partial<ContractsSearch>) => onSearch({ ...START, ...changes })
  const address = { open: search.open, onClosed: () => onSearch({ open: undefined }) }
  const dialogs = useContractDialogs(rows, address)
  const pdfs = usePdfs(dialogs.pdfRemoval.open)
  return (
    <ListScreen
      title="Contracts"
      description="Your agreements and when they renew"
      addLabel="Add Contract"
      onAdd={() => dialogs.form.open()}
      actions={actions}
      list={list}
      figures={figures}
      failed="Failed to fetch contracts"
      cards={<FigureCards cards={CONTRACT_FIGURES} figures={figures} />}
      toolbar={<ContractsToolbar search={search} onFilter={filter} />}
      empty={{
        title: 'No contracts found',
        hint: 'Try adjusting your search or filters',
        canAdd: !isFiltered(search),
      }}
      pager={
        hasPager(pager) && (
          <ListPager pager={withoutNumbers(pager)} size={search.size} onSize={(size) => filter({ size })} />
        )
      }
      onNear={Dialogs.prefetch}
      rows={(page) => (
        <ContractsTable
          rows={page.rows}
          search={search}
          busy={list.isPlaceholderData}
          onFilter={filter}
          onOpen={dialogs.details.open}
          onEdit={dialogs.form.open}
          onDelete={dialogs.removal.open}
          pdfs={pdfs.acts}
        />
      )}
    >
      <Dialogs.Part
        wanted={dialogs.isOpen}
        dialogs={dialogs}
        pdfs={pdfs.acts}
        reminders={reminders}
        onDeleted={() => rows?.length === 1 && pager?.onPrevious?.()}
      />
      <PdfPicker {...pdfs.picker} />
    </ListScreen>
  )
}

function isFiltered({ search, status, cycle, expiring }: ContractsSearch): boolean {
  return [search, status, cycle, expiring].some(Boolean)
}

function withoutNumbers({ range, onPrevious, onNext }: PagerProps) {
  return { range, onPrevious, onNext }
}
