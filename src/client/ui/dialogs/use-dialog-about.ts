import { useState } from 'react'

/** A dialog about something, or about nothing. Keeps its subject while it fades out. */
export function useDialogAbout<Subject>() {
  const [dialog, setDialog] = useState<{ opened: boolean; about: Subject | undefined }>({
    opened: false,
    about: undefined,
  })
  return {
    ...dialog,
    open: (about?: Subject) => setDialog({ opened: true, about }),
    close: () => setDialog(({ about }) => ({ opened: false, about })),
  }
}

/** What such a dialog needs to know. */
export interface RowDialog<Row> {
  opened: boolean
  row: Row | undefined
  close: () => void
}

/** A dialog about one row of a page, or about none. It shows the row as it is on the page now. */
export function useRowDialog<Row extends { id: number }>(rows: readonly Row[] = []) {
  const { about, ...dialog } = useDialogAbout<Row>()
  return { ...dialog, row: rows.find(({ id }) => id === about?.id) ?? about }
}
