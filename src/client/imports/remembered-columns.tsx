import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import classes from './earlier-imports.module.css'

type Mapping = Outputs['imports']['mappings'][number]

/** What was chosen for the columns of earlier files of a kind, which can be forgotten. */
export function RememberedColumns({ kind }: { kind: ImportKind }) {
  const list = trpc.imports.mappings.useQuery()
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  // The focused button is removed with its columns.
  const { forget, busy } = useForget(() => frame?.focus({ preventScroll: true }))
  const rows = list.data?.filter((mapping) => mapping.kind === kind)
  return (
    // Also without saved columns, to keep the focus when the last button is removed.
    <Stack ref={setFrame} tabIndex={-1} style={{ outline: 'none' }}>
      <QueryError query={list} failed="Failed to fetch the saved columns" />
      {!rows && !list.error && <TableSkeleton rows={3} />}
      {rows?.length === 0 && (
        <EmptyState
          title="No saved columns"
          hint="When you choose what the columns of a file contain, your choice is kept for the next file with the same headings."
        />
      )}
      {rows && rows.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            Files with these headings are imported this way. Forget a choice to be asked again.
          </Text>
          <ul className={classes.imports} aria-label="Saved columns">
            {rows.map((row) => (
              <MappingItem
                key={row.key}
                row={row}
                busy={busy === row.key}
                onForget={() => forget({ kind, key: row.key })}
              />
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

function useForget(onForgotten: () => void) {
  const utils = trpc.useUtils()
  const { mutate, isPending, variables } = trpc.imports.removeMapping.useMutation({
    onSuccess: () => {
      onForgotten()
      toastSuccess('Columns forgotten. You will be asked about the next file with these headings.')
      return utils.imports.mappings.invalidate()
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to forget the columns' })),
  })
  return { forget: mutate, busy: isPending ? variables.key : undefined }
}

function MappingItem({ row, busy, onForget }: { row: Mapping; busy: boolean; onForget: () => void }) {
  const chosen = row.columns.filter(({ heading }) => heading !== null)
  const names = chosen.map(({ heading }) => heading).join(', ')
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start" gap="md" py="md">
      <div style={{ overflowWrap: 'anywhere' }}>
        {chosen.map(({ field, label, heading }) => (
          <Text key={field} size="sm">
            <b>{heading}</b> is {label}
          </Text>
        ))}
        <Text size="sm" c="dimmed" mt={4}>
          Chosen on {formatInstant(row.updatedAt, browserTimeZone())}
        </Text>
      </div>
      <ChangeButton
        variant="default"
        size="xs"
        flex="none"
        aria-label={`Forget ${names}`}
        loading={busy}
        onClick={onForget}
      >
        Forget
      </ChangeButton>
    </Group>
  )
}
