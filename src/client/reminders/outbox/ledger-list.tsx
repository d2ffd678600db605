import { Badge, Group, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { browserTimeZone, formatDay, formatInstant } from '#client/text/format.ts'
import { listInput, START } from '#client/list/list-position.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { DataTable, type Column } from '#client/ui/lists/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { FilterSelect } from '#client/ui/lists/filter-select.tsx'
import { ListCard } from '#client/ui/lists/list-card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { useListPager } from '#client/list/use-list-pager.ts'
import { CustomerName, MessageSummary, UnbrokenDay } from './coming-list.tsx'
import { MessageActions } from './message-actions.tsx'
import type { OutboxSearch } from './outbox-search.ts'
import { STATES, stateOf, waitText, type LedgerMessage } from '#client/mail/reminder-words.ts'
import { actionable, type OutboxActions } from './use-outbox-actions.ts'

const STATE_NAMES = ['planned', 'sending', 'sent', 'delivered', 'skipped', 'failed', 'bounced'] as const
const CHOICES = STATE_NAMES.map((value) => ({ value, label: STATES[value].label }))

interface LedgerListProps {
  search: OutboxSearch
  onSearch: (changes: Partial<OutboxSearch>) => void
  actions: OutboxActions
  onOpen: (message: LedgerMessage) => void
}

/** What became of every message of the last 90 days. */
export function LedgerList({ search, onSearch, actions, onOpen }: LedgerListProps) {
  const list = trpc.reminders.list.useQuery(listInput(search), { placeholderData: keepPreviousData })
  const pager = useListPager(list, search, onSearch)
  return (
    <>
      <ListCard
        bare
        toolbar={<StateFilter search={search} onSearch={onSearch} />}
        list={list}
        empty={<EmptyState title="No messages" hint={search.state ? 'No messages have this status' : NOTHING_YET} />}
        pager={pager && pager.pages.count > 1 && <Pager {...pager} />}
      >
        {({ rows }) => (
          <DataTable
            label="Messages of the last 90 days"
            columns={columnsFor(actions)}
            rows={rows}
            rowKey={({ id }) => id}
            onOpen={onOpen}
            busy={list.isPlaceholderData}
          />
        )}
      </ListCard>
      <QueryError query={list} failed="Failed to fetch reminders" />
    </>
  )
}

const NOTHING_YET = 'Reminders appear here when they are due'

function StateFilter({ search, onSearch }: Pick<LedgerListProps, 'search' | 'onSearch'>) {
  return (
    <Group p="md">
      <FilterSelect
        label="Status"
        none="All Statuses"
        options={CHOICES}
        value={search.state}
        onChoose={(state) => onSearch({ ...START, state })}
      />
    </Group>
  )
}

function columnsFor(actions: OutboxActions): Column<LedgerMessage>[] {
  return [
    { header: 'Customer', cell: ({ customerName }) => <CustomerName name={customerName} /> },
    { header: 'Date', cell: ({ day }) => <UnbrokenDay day={day} /> },
    { header: 'Message', cell: (message) => <MessageSummary message={message} /> },
    { header: 'Status', cell: (message) => <State message={message} /> },
    { header: 'Actions', unlabelled: true, cell: (message) => <Actions message={message} actions={actions} /> },
  ]
}

/** A message's status, with its reason or time. */
export function State({ message }: { message: LedgerMessage }) {
  const { kind, day, reason, obstacle, sentAt, bouncedAt } = message
  const at = bouncedAt ?? sentAt
  const { label, color } = stateOf(message)
  const when = kind === 'letter' ? formatDay(day) : at && formatInstant(at, browserTimeZone())
  return (
    <div>
      <Badge color={color}>{label}</Badge>
      <Text size="sm" c="dimmed">
        {reason ?? obstacle ?? waitText(message) ?? when}
      </Text>
    </div>
  )
}

function Actions({ message, actions }: { message: LedgerMessage; actions: OutboxActions }) {
  const target = actionable(message)
  if (!target) return null
  const { state } = message
  const canSend = target.obstacle === null && (state === 'planned' || state === 'failed' || state === 'skipped')
  return (
    <MessageActions
      message={target}
      onSend={canSend ? () => actions.sendNow(target) : undefined}
      onSkip={state === 'planned' ? () => actions.skip(target) : undefined}
    />
  )
}
