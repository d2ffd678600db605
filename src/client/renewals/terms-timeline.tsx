import '@mantine/core/styles/Timeline.layer.css'
import { Badge, Group, Text, Timeline } from '@mantine/core'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { CYCLE_LABELS } from '#client/text/contract-words.ts'
import { formatDate, formatDay, formatMoney } from '#client/text/format.ts'
import { Explained } from '#client/ui/explained.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { pricePerTerm } from './renewal-words.ts'

type Term = Outputs['contracts']['terms'][number]

const OUTCOMES: Record<Term['outcome'], { label: string; color: string }> = {
  running: { label: 'Current', color: 'green' },
  renewed: { label: 'Renewed', color: 'blue' },
  ended: { label: 'Ended', color: 'gray' },
  expired: { label: 'Expired', color: 'red' },
}

/** All terms of a contract, newest first, with the price of each and what changed. */
export function TermsTimeline({ contractId }: { contractId: number }) {
  const terms = trpc.contracts.terms.useQuery({ id: contractId })
  if (terms.isPending) return <Placeholder heights={[120]} />
  return (
    <>
      <QueryError query={terms} failed="Failed to fetch terms" />
      {terms.data && (
        <Timeline bulletSize={14} lineWidth={2} aria-label="Terms">
          {terms.data.map((term, index) => (
            <Timeline.Item
              key={term.number}
              title={
                <Group gap="xs">
                  <Text component="span" fw={600}>
                    {`Term ${term.number}`}
                  </Text>
                  <Badge size="sm" color={OUTCOMES[term.outcome].color}>
                    {OUTCOMES[term.outcome].label}
                  </Badge>
                </Group>
              }
            >
              <Text component="div" size="sm">
                <Explained how={RUNS}>{`${formatDay(term.startDate)} to ${formatDay(term.renewalDate)}`}</Explained>
              </Text>
              <Price term={term} before={terms.data[index + 1]} />
              {decisionText(term) && (
                <Text size="xs" c="dimmed">
                  {decisionText(term)}
                </Text>
              )}
              {term.note && (
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {term.note}
                </Text>
              )}
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </>
  )
}

const RUNS = 'The second date is the renewal date: the first day after the term'

/** What a term costs, and how that differs from the one before. */
function Price({ term, before }: { term: Term; before: Term | undefined }) {
  const price = pricePerTerm(term)
  const cycle = before && before.renewalCycle !== term.renewalCycle ? `, previously ${cycleOf(before)}` : ''
  if (!before || before.amount === term.amount) return <Text size="sm">{price + cycle}</Text>
  const difference = Math.round((term.amount - before.amount) * 100) / 100
  const change = `${difference > 0 ? '+' : '-'}${formatMoney(Math.abs(difference))}`
  const how = `${formatMoney(term.amount)} minus ${formatMoney(before.amount)}, the price of term ${before.number}`
  return (
    <Text component="div" size="sm">
      <Explained how={how}>{`${price} (${change})${cycle}`}</Explained>
    </Text>
  )
}

function cycleOf({ renewalCycle }: Term): string {
  return CYCLE_LABELS[renewalCycle].toLowerCase()
}

/** How and when a term's outcome was decided. */
function decisionText({ outcome, decidedAt, decidedBy, reason }: Term): string {
  if (!decidedAt) return ''
  const how = decidedBy === 'job' ? 'Automatically' : WORDS[outcome]
  return `${how} on ${formatDate(decidedAt)}${reason ? `. Reason: ${reason}` : ''}`
}

const WORDS: Record<Term['outcome'], string> = {
  running: 'Decided',
  renewed: 'Renewed',
  ended: 'Ended',
  expired: 'Expired',
}
