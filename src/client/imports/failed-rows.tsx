import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount } from '#client/text/format.ts'
import { DataTable, type Column } from '#client/ui/lists/data-table.tsx'
import type { ImportResult, RowError } from './import-result.ts'
import classes from './failed-rows.module.css'

const ROWS_SHOWN = 10

interface NumberedError extends RowError {
  /** A cell may be wrong in more than one way. */
  key: number
}

const COLUMNS: Column<NumberedError>[] = [
  { header: 'Line', cell: ({ line }) => `Line ${formatCount(line)}` },
  { header: 'Column', cell: ({ column }) => column },
  { header: 'Value', cell: ({ value }) => <Value value={value} /> },
  { header: 'Reason', cell: ({ reason }) => reason },
]

interface FailedRowsProps extends Pick<ImportResult, 'errors' | 'failed'> {
  /** The button that saves all of them. */
  children: ReactNode
}

/** The first failed rows and why they failed. */
export function FailedRows({ errors, failed, children }: FailedRowsProps) {
  const lines = [...new Set(errors.map(({ line }) => line))].slice(0, ROWS_SHOWN)
  const shown = errors.filter(({ line }) => lines.includes(line)).map((error, key) => ({ ...error, key }))
  const more = failed - lines.length
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls only what has the focus */}
      <div className={classes.rows} role="region" aria-label="Failed rows" tabIndex={0}>
        <DataTable label="Failed rows" columns={COLUMNS} rows={shown} rowKey={({ key }) => key} />
      </div>
      <Group justify="space-between" gap="xs" mt="xs">
        <Text size="sm" c="dimmed" flex="1 1 14rem">
          {more > 0 && `And ${formatCount(more)} more. `}
          Download the failed rows, correct them, and upload that file.
        </Text>
        {children}
      </Group>
    </div>
  )
}

function Value({ value }: { value: string }) {
  return (
    <Text span inherit lineClamp={2} className={classes.value ?? ''}>
      {value}
    </Text>
  )
}
