import { Box, Paper, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './pending.module.css'
import { TableSkeleton } from './table-skeleton.tsx'
import { useRowFocus } from './use-row-focus.ts'

interface ListCardProps<Page> {
  toolbar: ReactNode
  list: { data: Page | undefined; isPlaceholderData: boolean; isError: boolean }
  /** Shown in place of rows if there are none. */
  empty: ReactNode
  /** Shows rows that were just added, even if nothing matches the filter. */
  hasNew?: boolean
  pager: ReactNode
  /** If it is already inside a card. */
  bare?: boolean
  /** The rows. */
  children: (page: Page) => ReactNode
}

/** A filtered list with its controls above and its pager below. Rows of an earlier query are dimmed. */
export function ListCard<Page extends { total: number }>({
  toolbar,
  list,
  pager,
  bare = false,
  ...rest
}: ListCardProps<Page>) {
  const kept = useRowFocus(list.data)
  return (
    <Paper withBorder={!bare} {...kept.list}>
      {toolbar}
      <Pending pending={list.isPlaceholderData}>
        <Rows list={list} {...rest} />
        {pager && <Box p="md">{pager}</Box>}
      </Pending>
      <VisuallyHidden aria-live="polite">
        {kept.left > 0 && <span key={kept.left}>The row is no longer in this list</span>}
      </VisuallyHidden>
    </Paper>
  )
}

type RowsProps<Page> = Pick<ListCardProps<Page>, 'list' | 'empty' | 'hasNew' | 'children'>

function Rows<Page extends { total: number }>({
  list: { data, isError },
  empty,
  hasNew = false,
  children,
}: RowsProps<Page>) {
  if (data === undefined) return isError ? null : <TableSkeleton />
  return data.total === 0 && !hasNew ? empty : children(data)
}

/** Dims its content, the result of an earlier query, while the new one loads. */
function Pending({ pending, children }: { pending: boolean; children: ReactNode }) {
  return (
    <div className={classes.frame} data-pending={pending || undefined} aria-busy={pending}>
      {children}
    </div>
  )
}
