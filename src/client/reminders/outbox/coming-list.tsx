import { Badge, Button, Center, Text } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatDay } from '#client/text/format.ts'
import { trpc } from '#client/api/trpc.ts'
import { DataTable, type Column } from '#client/ui/lists/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { useRowFocus } from '#client/ui/lists/use-row-focus.ts'
import { MessageActions } from './message-actions.tsx'
import { lineText, occasionText, type LedgerMessage, type Message } from '#client/mail/reminder-words.ts'
import { actionable, type OutboxActions } from './use-outbox-actions.ts'

const PAGE = 10

interface Coming extends Message {
  isWaiting: boolean
}

interface ComingListProps {
  actions: OutboxActions
  onSnooze: (message: Message) => void
  /** What leads on from an empty list. */
  whenEmpty?: ReactNode
}

/** The messages of the next 90 days: those in the ledger, and those that will fall due. */
export function ComingList({ actions, onSnooze, whenEmpty }: ComingListProps) {
  const waiting = trpc.reminders.list.useQuery({ state: 'planned', limit: 100 })
  const coming = trpc.reminders.coming.useInfiniteQuery(
    { limit: PAGE },
    { getNextPageParam: ({ next }) => next ?? undefined },
  )
  useNextPageIfEmpty(coming)
  // A dialog returns the focus to a button that may be gone by then.
  const { list } = useRowFocus([coming.data, waiting.data])
  // The focused button is removed with its message.
  const keepFocus = () => list.ref.current?.focus({ preventScroll: true })
  const failure = coming.error ?? waiting.error
  const isThere = coming.data !== undefined && waiting.data !== undefined
  const error = failure && (
    <ErrorState
      over={isThere}
      message={failureText(failure, { failed: 'Failed to fetch reminders' })}
      retrying={coming.isFetching || waiting.isFetching}
      onRetry={() => void Promise.all([coming.refetch(), waiting.refetch()])}
    />
  )
  if (!isThere) return error ?? <TableSkeleton />
  const waitingMessages = waiting.data.rows.map(actionable).filter((message) => message !== undefined)
  const rows: Coming[] = [
    ...waitingMessages.map((message) => ({ ...message, isWaiting: true })),
    ...coming.data.pages.flatMap((page) => page.rows.map((message) => ({ ...message, isWaiting: false }))),
  ]
  const isEmpty = rows.length === 0
  return (
    // Also when the list is empty, so that the focused element stays.
    <div {...list} role="group" aria-label="Upcoming messages" style={{ outline: 'none' }}>
      {isEmpty && coming.hasNextPage && <TableSkeleton />}
      {isEmpty && !coming.hasNextPage && (
        <EmptyState
          title="Nothing coming up"
          hint="Reminders come from contracts that renew soon. None are due in the next 90 days"
          action={whenEmpty}
        />
      )}
      {!isEmpty && (
        <DataTable
          label="Upcoming messages"
          columns={columnsFor({ actions: actionsKeepingFocus(actions, keepFocus), onSnooze })}
          rows={rows.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))}
          rowKey={({ contractId, renewalDate, kind, offset, recipient, contactId, channel }) =>
            [contractId, renewalDate, kind, offset, recipient, contactId, channel].join(' ')
          }
        />
      )}
      {!isEmpty && coming.hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={coming.isFetchingNextPage} onClick={() => void coming.fetchNextPage()}>
            Show More
          </Button>
        </Center>
      )}
      {error}
    </div>
  )
}

function actionsKeepingFocus(actions: OutboxActions, keepFocus: () => void): OutboxActions {
  const first =
    (act: OutboxActions['skip']): OutboxActions['skip'] =>
    (message) => {
      keepFocus()
      act(message)
    }
  return { ...actions, skip: first(actions.skip), sendNow: first(actions.sendNow) }
}

interface Pages {
  data: { pages: { rows: unknown[] }[] } | undefined
  isFetching: boolean
  isError: boolean
  hasNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Loads the next page after one without messages. */
function useNextPageIfEmpty({ data, isFetching, isError, hasNextPage, fetchNextPage }: Pages) {
  const isEmpty = data?.pages.at(-1)?.rows.length === 0
  const isFetchingOn = isEmpty && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (isFetchingOn) void fetchNextPage()
  }, [isFetchingOn, fetchNextPage])
}

function columnsFor({ actions, onSnooze }: Pick<ComingListProps, 'actions' | 'onSnooze'>): Column<Coming>[] {
  return [
    { header: 'Customer', cell: ({ customerName }) => <CustomerName name={customerName} /> },
    { header: 'Send Date', cell: ({ day }) => <UnbrokenDay day={day} /> },
    { header: 'Message', cell: (message) => <MessageSummary message={message} /> },
    { header: 'Renewal', cell: ({ renewalDate }) => <UnbrokenDay day={renewalDate} /> },
    { header: 'Status', cell: (message) => <ExpectedStatus {...message} /> },
    {
      header: 'Actions',
      unlabelled: true,
      // What will be skipped by itself leaves nothing to be done here.
      cell: (message) =>
        message.obstacle === null && (
          <MessageActions
            message={message}
            onSend={() => actions.sendNow(message)}
            onSnooze={() => onSnooze(message)}
            onSkip={() => actions.skip(message)}
          />
        ),
    },
  ]
}

export function UnbrokenDay({ day }: { day: string }) {
  return <span style={UNBROKEN}>{formatDay(day)}</span>
}

const UNBROKEN = { whiteSpace: 'nowrap' } as const

/** The name of a row, as in every other list. */
export function CustomerName({ name }: { name: string }) {
  return (
    <Text component="span" size="sm" fw={600}>
      {name}
    </Text>
  )
}

type Summarized = Pick<LedgerMessage, 'kind' | 'offset' | 'recipient' | 'contactName' | 'channel'>

export function MessageSummary({ message }: { message: Summarized }) {
  return (
    <div>
      <span style={UNBROKEN}>{occasionText(message)}</span>
      <Text size="sm" c="dimmed">
        {lineText(message)}
      </Text>
    </div>
  )
}

function ExpectedStatus({ obstacle, isWaiting }: Pick<Coming, 'obstacle' | 'isWaiting'>) {
  if (obstacle === null && isWaiting) return <Badge color="cobalt">Waiting</Badge>
  if (obstacle === null) return <Badge color="gray">Planned</Badge>
  return (
    <div>
      <Badge color="yellow">Will be skipped</Badge>
      <Text size="sm" c="dimmed">
        {obstacle}
      </Text>
    </div>
  )
}
