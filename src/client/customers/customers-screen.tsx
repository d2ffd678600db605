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
import { Pager } from '#client/ui/pager.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import { CustomerFigures } from './customer-figures.tsx'
import type { CustomersSearch } from './customers-search.ts'
import { CustomersTable } from './customers-table.tsx'
import { CustomersToolbar } from './customers-toolbar.tsx'
import { useCustomerDialogs } from './use-customer-dialogs.ts'

const Dialogs = onDemand(async () => (await import('./customer-dialogs.tsx')).CustomerDialogs)

interface CustomersScreenProps {
  /** What the address says. */
  search: CustomersSearch
  onSearch: (changes: Partial<CustomersSearch>) => void
  /** What else can be done with the list, beside adding to it. */
  actions?: ReactNode
}

export function CustomersScreen({ search, onSearch, actions }: CustomersScreenProps) {
  const list = trpc.customers.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const figures = trpc.customers.figures.useQuery()
  const failure = list.error ?? figures.error
  const pager = useListPager(list, search, onSearch)
  const filter = (changes: Partial<CustomersSearch>) => onSearch({ ...START, ...changes })
  const rows = list.data?.rows
  const address = { open: search.open, onClosed: () => onSearch({ open: undefined }) }
  const dialogs = useCustomerDialogs(rows, address)
  const add = () => dialogs.form.open()
  return (
    <Stack gap="lg" {...whenButtonNears(Dialogs.prefetch)}>
      <PageHeader title="Customers" description="The people and companies you work with">
        <AddButton onAdd={add} />
        {actions}
      </PageHeader>
      <CustomerFigures figures={figures.data} failed={figures.isError} />
      <ListCard
        toolbar={<CustomersToolbar search={search} onFilter={filter} />}
        list={list}
        empty={<NoCustomers searched={search.search !== undefined} onAdd={add} />}
        pager={pager && pager.pages.count > 1 && <Pager {...pager} />}
      >
        {(page) => (
          <CustomersTable
            rows={page.rows}
            search={search}
            busy={list.isPlaceholderData}
            onFilter={filter}
            onOpen={dialogs.details.open}
            onEdit={dialogs.form.open}
            onDelete={dialogs.removal.open}
          />
        )}
      </ListCard>
      {failure && (
        <ErrorState
          over={!list.isLoadingError}
          message={failureText(failure, { failed: 'Failed to fetch customers' })}
          retrying={list.isFetching || figures.isFetching}
          onRetry={() => void Promise.all([list.refetch(), figures.refetch()])}
        />
      )}
      <Dialogs.Part
        wanted={dialogs.wanted}
        dialogs={dialogs}
        onDeleted={() => rows?.length === 1 && pager?.onPrevious?.()}
      />
    </Stack>
  )
}

function NoCustomers({ searched, onAdd }: { searched: boolean; onAdd: () => void }) {
  if (searched) return <EmptyState title="No customers found" hint="Try adjusting your search criteria" />
  return (
    <EmptyState
      title="No customers found"
      hint="Start by adding your first customer"
      action={<AddButton onAdd={onAdd} />}
    />
  )
}

function AddButton({ onAdd }: { onAdd: () => void }) {
  return (
    <Button leftSection={<PlusIcon />} onClick={onAdd}>
      Add Customer
    </Button>
  )
}
