import { Box, Stack } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { listInput, START, type ListPosition } from '#client/list/list-position.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { isTransient, trpc } from '#client/api/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import classes from './earlier-imports.module.css'
import { ImportItem } from './import-item.tsx'
import type { UndoableImport } from './undo-dialog.tsx'

const WATCH_MS = 1500
const RETRY_MS = 5000

interface EarlierImportsProps {
  onUndo: (target: UndoableImport) => void
}

/** All imports, newest first. */
export function EarlierImports({ onUndo }: EarlierImportsProps) {
  const [position, setPosition] = useState<ListPosition>(START)
  const list = trpc.imports.list.useQuery(listInput(position), {
    placeholderData: keepPreviousData,
    // A running import makes progress; a list that could not be fetched is fetched again.
    refetchInterval: ({ state: { data, error } }) => {
      if (error) return isTransient(error) && RETRY_MS
      return data?.rows.some(({ status }) => status === 'running') ? WATCH_MS : false
    },
  })
  const pager = useListPager(list, position, setPosition)
  const { data, error } = list
  return (
    <Stack>
      <QueryError query={list} failed="Failed to fetch imports" />
      {!data && !error && <TableSkeleton rows={3} />}
      {data?.total === 0 && <EmptyState title="No imports yet" hint="Files you upload will be listed here." />}
      {data && data.total > 0 && (
        <ul className={classes.imports} aria-label="Earlier imports">
          {data.rows.map((row) => (
            <ImportItem key={row.id} row={row} onUndo={() => onUndo(row)} />
          ))}
        </ul>
      )}
      {pager && pager.pages.count > 1 && (
        <Box>
          <Pager range={pager.range} onPrevious={pager.onPrevious} onNext={pager.onNext} />
        </Box>
      )}
    </Stack>
  )
}
