import { Box, Stack } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { listInput, START, type ListPosition } from '#client/list/list-position.ts'
import { isTransient, trpc } from '#client/api/trpc.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Pager } from '#client/ui/pager.tsx'
import { TableSkeleton } from '#client/ui/table-skeleton.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import { useDownload } from '#client/api/use-download.ts'
import classes from './earlier-imports.module.css'
import { errorsFile } from './errors-file.ts'
import { ImportItem } from './import-item.tsx'
import type { TakeableImport } from './take-back-dialog.tsx'

const WATCH_MS = 1500
const RETRY_MS = 5000

/** Every import that has brought something which is still there, the latest first. */
export function EarlierImports({ onTakeBack }: { onTakeBack: (taken: TakeableImport) => void }) {
  const [place, setPlace] = useState<ListPosition>(START)
  const list = trpc.imports.list.useQuery(listInput(place), {
    placeholderData: keepPreviousData,
    // A running import moves; a list that could not be fetched is asked for again.
    refetchInterval: ({ state: { data, error } }) => {
      if (error) return isTransient(error) && RETRY_MS
      return data?.rows.some(({ status }) => status === 'running') ? WATCH_MS : false
    },
  })
  const pager = useListPager(list, place, setPlace)
  const { save, busy } = useDownload()
  const { data, error } = list
  return (
    <Stack>
      {error && (
        <ErrorState
          over={!list.isLoadingError}
          message={failureText(error, { failed: 'Failed to fetch imports' })}
          retrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {!data && !error && <TableSkeleton rows={3} />}
      {data?.total === 0 && <EmptyState title="No imports yet" hint="What you upload is listed here." />}
      {data && data.total > 0 && (
        <ul className={classes.imports} aria-label="Earlier imports">
          {data.rows.map((row) => (
            <ImportItem
              key={row.id}
              row={row}
              busy={busy === errorsFile(row.id).path}
              onErrors={() => save(errorsFile(row.id))}
              onTakeBack={() => onTakeBack(row)}
            />
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
