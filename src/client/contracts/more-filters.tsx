import { Button, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EXPIRING_WITHIN_DAYS } from '#shared/domain/contract-term.ts'
import { trpc } from '#client/api/trpc.ts'
import { tagsIn } from '#client/tags/tags-text.ts'
import { RENEWS_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney, formatMonth } from '#client/text/format.ts'
import { ANY_TERM } from './contract-filters.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { FilterChip } from '#client/ui/lists/filter-chip.tsx'
import { FilterFields } from './filter-fields.tsx'

interface MoreFiltersProps {
  search: ContractsSearch
  onFilter: (changes: Partial<ContractsSearch>) => void
  /** The focused filter was removed, since it cannot be set here. */
  onFocusedRemoved: () => void
}

/** Filters beside the quick ones: a click sets one, the next click clears it. */
export function MoreFilters({ search, onFilter, onFocusedRemoved }: MoreFiltersProps) {
  const { status, overdue, renewsWithin, noticeWithin, noEmail, noPdf } = search
  const others = useEnteredFilters(search)
  const notice = noticeWithin ?? EXPIRING_WITHIN_DAYS
  const within = renewsWithin ?? EXPIRING_WITHIN_DAYS
  const filters = [
    { name: 'Overdue', on: overdue, off: ANY_TERM, set: { overdue: true } },
    {
      name: `Renews Within ${within} ${within === 1 ? 'Day' : 'Days'}`,
      on: renewsWithin !== undefined,
      off: ANY_TERM,
      set: { renewsWithin: within },
    },
    {
      name: `Notice Within ${notice} ${notice === 1 ? 'Day' : 'Days'}`,
      on: noticeWithin !== undefined,
      off: { noticeWithin: undefined },
      set: { noticeWithin: notice },
    },
    { name: 'Expired', on: status === 'expired', off: ANY_TERM, set: { status: 'expired' } },
    { name: 'No Email', on: noEmail, off: { noEmail: undefined }, set: { noEmail: true } },
    { name: 'No PDF', on: noPdf, off: { noPdf: undefined }, set: { noPdf: true } },
  ] as const
  return (
    <Stack gap="sm">
      <FilterFields search={search} onFilter={onFilter} />
      <Group gap="xs" role="group" aria-label="More Filters">
        {filters.map(({ name, on = false, off, set }, index) => (
          // Clearing a filter can change its name, and must not take the focus from it.
          <FilterChip key={index} name={name} on={on} onClick={() => onFilter(on ? off : { ...off, ...set })} />
        ))}
        {others.map(({ name, off }) => (
          <FilterChip
            key={name}
            name={name}
            on
            onClick={() => {
              onFilter(off)
              onFocusedRemoved()
            }}
          />
        ))}
        <Button size="xs" variant="subtle" renderRoot={(props) => <Link to="/tags" {...props} />}>
          Manage Tags
        </Button>
      </Group>
    </Stack>
  )
}

type Entered = { name: string; off: Partial<ContractsSearch> } | undefined

/** Filters that were entered, or set by links from elsewhere: each can be cleared. */
function useEnteredFilters(search: ContractsSearch) {
  const { customerId, startedIn, renews, tag } = search
  const { data } = trpc.customers.get.useQuery({ id: customerId ?? 0 }, { enabled: customerId !== undefined })
  const tags = tagsIn(tag)
  const entered: Entered[] = [
    customerId === undefined ? undefined : { name: data?.name ?? 'One Customer', off: { customerId: undefined } },
    startedIn ? { name: `Started in ${formatMonth(startedIn)}`, off: { startedIn: undefined } } : undefined,
    renews && { name: `Renews: ${RENEWS_LABELS[renews]}`, off: { renews: undefined } },
    ...tags.map((one) => ({
      name: `Tag: ${one}`,
      off: { tag: tags.filter((other) => other !== one).join(',') || undefined },
    })),
    ...rangesOf(search),
  ]
  return entered.filter((filter) => filter !== undefined)
}

function rangesOf({ renewalFrom, renewalThrough, amountFrom, amountThrough }: ContractsSearch): Entered[] {
  return [
    renewalFrom && { name: `Renewal From ${formatDay(renewalFrom)}`, off: { renewalFrom: undefined } },
    renewalThrough && { name: `Renewal Through ${formatDay(renewalThrough)}`, off: { renewalThrough: undefined } },
    amountFrom === undefined ? undefined : { name: `From ${formatMoney(amountFrom)}`, off: { amountFrom: undefined } },
    amountThrough === undefined
      ? undefined
      : { name: `Up to ${formatMoney(amountThrough)}`, off: { amountThrough: undefined } },
  ].map((filter) => filter || undefined)
}
