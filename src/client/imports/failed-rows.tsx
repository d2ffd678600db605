import { Text } from '@mantine/core'
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
  { header: 'Line', cell: ({ line }) => `Line ${line}` },
  { header: 'Column', cell: ({ column }) => column },
  { header: 'Value', cell: ({ value }) => <Value value={value} /> },
  { header: 'Reason', cell: ({ reason }) => reason },
]

/** The first failed rows and why they failed. */
export function FailedRows({ errors, failed }: Pick<ImportResult, 'errors' | 'failed'>) {
  const lines = [...new Set(errors.map(({ line }) => line))].slice(0, ROWS_SHOWN)
  const shown = errors.filter(({ line }) => lines.includes(line)).map((error, key) => ({ ...error, key }))
  const more = failed - lines.length
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls only what has the focus */}
      <div className={classes.rows} role="region" aria-label="Failed rows" tabIndex={0}>
        <DataTable label="Failed rows" columns={COLUMNS} rows={shown} rowKey={({ key }) => key} />
      </div>
      {more > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          And {formatCount(more)} more. Download the errors to see all of them.
        </Text>
      )}
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
