import { Stack } from '@mantine/core'
import { TrashIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import { TRASH_DAYS } from '#shared/domain/trash.ts'
import { trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useTrashActions } from '#client/api/use-trash-actions.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { listInput } from '#client/list/list-position.ts'
import { hasPager, ListPager } from '#client/list/list-pager.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import { formatCount } from '#client/text/format.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ListCard } from '#client/ui/lists/list-card.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { idsOf, useTrashSelection } from './use-trash-selection.ts'
import type { TrashSearch } from './trash-search.ts'
import { TrashTable, withId, type TrashRow } from './trash-table.tsx'

const Removal = onDemand(async () => (await import('./remove-for-good.tsx')).RemoveForGood)

interface TrashScreenProps {
  /** From the address. */
  search: TrashSearch
  onSearch: (changes: Partial<TrashSearch>) => void
}

const NO_ROWS: TrashRow[] = []

/** What was deleted in the last 30 days, to be restored. */
export function TrashScreen({ search, onSearch }: TrashScreenProps) {
  const list = trpc.trash.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const pager = useListPager(list, search, onSearch)
  const rows = list.data?.rows.map(withId) ?? NO_ROWS
  const { selected, table, clear } = useTrashSelection(rows)
  const { restore } = useTrashActions()
  const isRefused = useReadOnlyGuard()
  const removal = useDialogAbout<TrashRow>()
  const restoreAll = (which: readonly TrashRow[]) => {
    if (isRefused() || restore.isPending || which.length === 0) return
    restore.mutate(idsOf(which))
    clear()
  }
  return (
    <Stack gap="lg" {...whenButtonNears(Removal.prefetch)}>
      <PageHeader
        title="Trash"
        description={`What you delete can be restored for ${TRASH_DAYS} days, and is then gone`}
      >
        <ChangeButton
          idle={selected.length === 0 || restore.isPending}
          // Hidden, not removed, so that nothing moves.
          style={{ visibility: rows.length > 0 ? 'visible' : 'hidden' }}
          onClick={() => restoreAll(selected)}
        >
          {selected.length > 0 ? `Restore ${formatCount(selected.length)}` : 'Restore Selected'}
        </ChangeButton>
      </PageHeader>
      <ListCard
        toolbar={null}
        list={list}
        empty={
          <EmptyState
            title="The trash is empty"
            hint="Customers and contracts that you delete are kept here"
            icon={<TrashIcon width={20} height={20} />}
          />
        }
        pager={hasPager(pager) && <ListPager pager={pager} size={search.size} onSize={(size) => onSearch({ size })} />}
      >
        {() => (
          <TrashTable
            rows={rows}
            now={new Date(list.dataUpdatedAt)}
            busy={list.isPlaceholderData}
            selection={table}
            onRestore={(row) => restoreAll([row])}
            isRestoring={({ kind, rowId }) =>
              restore.isPending && restore.variables[`${kind}s`]?.includes(rowId) === true
            }
            onRemove={(row) => isRefused() || removal.open(row)}
          />
        )}
      </ListCard>
      <QueryError query={list} failed="Failed to fetch the trash" />
      <Removal.Part wanted={removal.opened} opened={removal.opened} row={removal.about} onClose={removal.close} />
    </Stack>
  )
}
