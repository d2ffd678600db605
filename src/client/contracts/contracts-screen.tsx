import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import { failureText } from '#client/failure-text.ts'
import { listInput, START } from '#client/list-place.ts'
import { trpc } from '#client/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Flash, useFlash } from '#client/ui/flash.tsx'
import { ListCard } from '#client/ui/list-card.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Pager, type PagerProps } from '#client/ui/pager.tsx'
import { useListPager } from '#client/use-list-pager.ts'
import { ContractDialogs, useContractDialogs } from './contract-dialogs.tsx'
import { ContractFigures } from './contract-figures.tsx'
import type { Contract } from './contract-form.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { ContractsTable } from './contracts-table.tsx'
import { ContractsToolbar } from './contracts-toolbar.tsx'
import { openPdf, type GetToken } from './open-pdf.ts'

interface ContractsScreenProps {
  /** What the address says. */
  search: ContractsSearch
  onSearch: (changes: Partial<ContractsSearch>) => void
  getToken: GetToken
}

export function ContractsScreen({ search, onSearch, getToken }: ContractsScreenProps) {
  const list = trpc.contracts.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const figures = trpc.contracts.figures.useQuery()
  const failure = list.error ?? figures.error
  const pager = useListPager(list, search, onSearch)
  const rows = list.data?.rows
  const filter = (changes: Partial<ContractsSearch>) => onSearch({ ...START, ...changes })
  const dialogs = useContractDialogs(rows)
  const add = () => dialogs.form.open()
  const flash = useFlash()
  const viewPdf = async ({ pdfPath }: Contract) => {
    const wrong = pdfPath && (await openPdf(pdfPath, getToken))
    if (wrong) flash.fail(wrong)
  }
  return (
    <Stack gap="lg">
      <PageHeader title="Contracts" description="What was agreed, and when it renews">
        <AddButton onAdd={add} />
      </PageHeader>
      <ContractFigures figures={figures.data} failed={figures.isError} />
      {failure && (
        <ErrorState
          message={failureText(failure, { failed: 'Failed to fetch contracts' })}
          retrying={list.isFetching || figures.isFetching}
          onRetry={() => void Promise.all([list.refetch(), figures.refetch()])}
        />
      )}
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
            onViewPdf={(contract) => void viewPdf(contract)}
          />
        )}
      </ListCard>
      <ContractDialogs
        dialogs={dialogs}
        flash={flash}
        onViewPdf={(contract) => void viewPdf(contract)}
        onDeleted={() => rows?.length === 1 && pager?.onPrevious?.()}
      />
      <Flash {...flash} />
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
