import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ComponentType, ReactNode } from 'react'
import { failureText, type FailureTexts } from '#client/api/failure-text.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ListCard } from '#client/ui/lists/list-card.tsx'
import type { PagerProps } from '#client/ui/lists/pager.tsx'
import { whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import type { ListedRows } from './entity-table.tsx'
import { hasPager, ListPager } from './list-pager.tsx'
import type { ListPage, PageSize } from './list-position.ts'

interface Fetched {
  error: unknown
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface ListQuery extends Fetched {
  data: ListPage | undefined
  isPlaceholderData: boolean
  isError: boolean
  isLoadingError: boolean
}

interface ListScreenProps<Row, Search> extends Pick<ListedRows<Row, Search>, 'search' | 'newIds'> {
  title: string
  description: string
  /** The label of the button that adds one. */
  addLabel: string
  onAdd: () => void
  /** What else can be done with the list, beside adding to it. */
  actions: ReactNode
  list: ListQuery
  figures: Fetched
  /** The messages if the list or its figures cannot be fetched. */
  failure: FailureTexts
  cards: ReactNode
  toolbar: ReactNode
  /** `onClear` shows everything again, if a filter matches nothing. */
  empty: { title: string; hint: string; onClear: (() => void) | undefined }
  Table: ComponentType<ListedRows<Row, Search>>
  /** The page's rows, with those that were just added. */
  rows: Row[] | undefined
  rowActions: Pick<ListedRows<Row, Search>, 'onOpen' | 'hrefOf' | 'onEdit' | 'onDelete' | 'selection'>
  onFilter: (changes: Partial<Search> | { size: PageSize }) => void
  pager: PagerProps | undefined
  /** Fetches the dialogs, once the pointer or the focus comes near one. */
  onNear: () => void
  /** The dialogs. */
  children: ReactNode
}

/** A screen about a list: figures, filters, rows and pages, with empty and error states. */
export function ListScreen<Row, Search extends { size: PageSize }>(props: ListScreenProps<Row, Search>) {
  const { title, description, addLabel, onAdd, actions, list, figures, pager, empty } = props
  const { Table, rows = [], newIds, search, rowActions, onFilter } = props
  const error = list.error ?? figures.error
  const add = (
    <Button leftSection={<PlusIcon />} onClick={onAdd}>
      {addLabel}
    </Button>
  )
  return (
    <Stack gap="lg" {...whenButtonNears(props.onNear)}>
      <PageHeader title={title} description={description}>
        {add}
        {actions}
      </PageHeader>
      {props.cards}
      <ListCard
        toolbar={props.toolbar}
        list={list}
        empty={
          <EmptyState
            title={empty.title}
            hint={empty.hint}
            action={empty.onClear ? <ClearFilters onClear={empty.onClear} /> : add}
          />
        }
        hasNew={rows.length > 0}
        pager={hasPager(pager) && <ListPager pager={pager} size={search.size} onSize={(size) => onFilter({ size })} />}
      >
        {() => <Table {...{ rows, newIds, search, onFilter }} busy={list.isPlaceholderData} {...rowActions} />}
      </ListCard>
      {error !== null && (
        <ErrorState
          over={!list.isLoadingError}
          message={failureText(error, props.failure)}
          retrying={list.isFetching || figures.isFetching}
          onRetry={() => void Promise.all([list.refetch(), figures.refetch()])}
        />
      )}
      {props.children}
    </Stack>
  )
}

function ClearFilters({ onClear }: { onClear: () => void }) {
  const clear = () => {
    onClear()
    // The focused button is removed with the filters.
    document.querySelector<HTMLElement>('[role="searchbox"]')?.focus()
  }
  return (
    <Button variant="default" onClick={clear}>
      Clear Filters
    </Button>
  )
}
