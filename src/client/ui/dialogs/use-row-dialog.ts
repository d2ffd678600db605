import { useState } from 'react'

interface RowDialog<Row> {
  opened: boolean
  row: Row | undefined
}

/**
 * A dialog about one row of a page, or about none. While it fades out it keeps its row, and it shows the row as it
 * stands on the page now.
 */
export function useRowDialog<Row extends { id: number }>(rows: readonly Row[] = []) {
  const [dialog, setDialog] = useState<RowDialog<Row>>({ opened: false, row: undefined })
  const current = rows.find(({ id }) => id === dialog.row?.id)
  return {
    opened: dialog.opened,
    row: current ?? dialog.row,
    open: (row?: Row) => setDialog({ opened: true, row }),
    close: () => setDialog(({ row }) => ({ opened: false, row })),
  }
}
