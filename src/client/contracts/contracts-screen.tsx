import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { listInput, START } from '#client/list/list-position.ts'
import { trpc } from '#client/api/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ListCard } from '#client/ui/list-card.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Pager, type PagerProps } from '#client/ui/pager.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import type { Contract } from './contract-form.ts'
import { ContractFigures } from './contract-figures.tsx'
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
  const failure = list.error ?? figures.error
  const pager = useListPager(list, search, onSearch)
  const rows = list.data?.rows
  const filter = (changes: Partial<ContractsSearch>) => onSearch({ ...START, ...changes })
  const address = { open: search.open, onClosed: () => onSearch({ open: undefined }) }
  const dialogs = useContractDialogs(rows, address)
  const add = () => dialogs.form.open()
  const pdfs = usePdfs(dialogs.pdfRemoval.open)
  return (
    <Stack gap="lg" {...whenButtonNears(Dialogs.prefetch)}>
      <PageHeader title="Contracts" description="What was agreed, and when it renews">
        <AddButton onAdd={add} />
        {actions}
      </PageHeader>
      <ContractFigures figures={figures.data} failed={figures.isError} />
      <ListCard
        toolbar={<ContractsToolbar search={search} onFilter={filter} />}
        list={list}
        empty={<NoContracts filtered={isFiltered(search)} onAdd={add} />}
        pager={pager && pager.pages.count > 1 && <Pager {...withoutNumbers(pager)} />}
      >
        {(page) => (
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
      </ListCard>
      {failure && (
        <ErrorState
          over={!list.isLoadingError}
          message={failureText(failure, { failed: 'Failed to fetch contracts' })}
          retrying={list.isFetching || figures.isFetching}
          onRetry={() => void Promise.all([list.refetch(), figures.refetch()])}
        />
      )}
      <Dialogs.Part
        wanted={dialogs.wanted}
        dialogs={dialogs}
        pdfs={pdfs.acts}
        reminders={reminders}
        onDeleted={() => rows?.length === 1 && pager?.onPrevious?.()}
      />
      <PdfPicker {...pdfs.picker} />
    </Stack>
  )
}

function isFiltered({ search, status, cycle, expiring }: ContractsSearch): boolean {
  return [search, status, cycle, expiring].some(Boolean)
}

function NoContracts({ filtered, onAdd }: { filtered: boolean; onAdd: () => void }) {
  return (
    <EmptyState
      title="No contracts found"
      hint="Try adjusting your search or filters"
      action={!filtered && <AddButton onAdd={onAdd} />}
    />
  )
}

function AddButton({ onAdd }: { onAdd: () => void }) {
  return (
    <Button leftSection={<PlusIcon />} onClick={onAdd}>
      Add Contract
    </Button>
  )
}

function withoutNumbers({ range, onPrevious, onNext }: PagerProps) {
  return { range, onPrevious, onNext }
}
