import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import type { ReactNode } from 'react'
import { failureText, type FailureTexts } from '#client/api/failure-text.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ListCard } from '#client/ui/lists/list-card.tsx'
import type { PagerProps } from '#client/ui/lists/pager.tsx'
import { whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { hasPager, ListPager } from './list-pager.tsx'
import type { ListPage, PageSize } from './list-position.ts'

interface Fetched {
  error: unknown
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface ListQuery<Page> extends Fetched {
  data: Page | undefined
  isPlaceholderData: boolean
  isError: boolean
  isLoadingError: boolean
}

interface ListScreenProps<Page> {
  title: string
  description: string
  /** The label of the button that adds one. */
  addLabel: string
  onAdd: () => void
  /** What else can be done with the list, beside adding to it. */
  actions: ReactNode
  list: ListQuery<Page>
  figures: Fetched
  /** The messages if the list or its figures cannot be fetched. */
  failure: FailureTexts
  cards: ReactNode
  toolbar: ReactNode
  /** `onClear` shows everything again, where a filter lets nothing through. */
  empty: { title: string; hint: string; onClear: (() => void) | undefined }
  /** Whether something was just added. */
  hasNew: boolean
  pager: PagerProps | undefined
  size: PageSize
  onSize: (size: PageSize) => void
  /** Fetches the dialogs, once the pointer or the focus comes near one. */
  onNear: () => void
  rows: (page: Page) => ReactNode
  /** The dialogs. */
  children: ReactNode
}

/** A screen about a list: figures, filters, rows and pages, with empty and error states. */
export function ListScreen<Page extends ListPage>(props: ListScreenProps<Page>) {
  const { title, description, addLabel, onAdd, actions, list, figures, pager, empty } = props
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
        hasNew={props.hasNew}
        pager={hasPager(pager) && <ListPager pager={pager} size={props.size} onSize={props.onSize} />}
      >
        {props.rows}
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
