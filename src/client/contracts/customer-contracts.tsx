import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isOpen } from '#shared/domain/contract-status.ts'
import { trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { CYCLE_LABELS, statusBadge } from '#client/text/contract-words.ts'
import { formatCount, formatDay, formatMoney } from '#client/text/format.ts'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { contractsOfCustomer } from './contracts-of-customer.ts'
import classes from './customer-contracts.module.css'
import type { Contract } from './form/contract-form.ts'

/** The contracts of one customer, open ones first. */
export function CustomerContracts({ customerId }: { customerId: number }) {
  const contracts = trpc.contracts.list.useQuery(contractsOfCustomer(customerId))
  const { rows = [], total = 0 } = contracts.data ?? {}
  return (
    <PageSection title={total > 0 ? `Contracts (${formatCount(total)})` : 'Contracts'}>
      {contracts.isPending && <Placeholder heights={[80]} />}
      <QueryError query={contracts} failed="Failed to fetch contracts" />
      {contracts.data && total === 0 && (
        <Text size="sm" c="dimmed">
          No contracts yet
        </Text>
      )}
      {rows.length > 0 && (
        <ul className={classes.list} aria-label="Contracts">
          {rows.map((contract) => (
            <Entry key={contract.id} contract={contract} />
          ))}
        </ul>
      )}
      {total > rows.length && (
        <div>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/contracts" search={{ customerId }} {...props} />}
          >
            {`Show All ${formatCount(total)}`}
          </Button>
        </div>
      )}
    </PageSection>
  )
}

function Entry({ contract }: { contract: Contract }) {
  const { id, title, reference, amount, renewalCycle } = contract
  const badge = statusBadge(contract)
  return (
    <Group component="li" justify="space-between" gap="xs" className={classes.entry}>
      <Stack gap={2}>
        <Anchor fw={600} renderRoot={(props) => <Link to="/contracts/$id" params={{ id }} {...props} />}>
          {title ?? reference ?? `Contract from ${formatDay(contract.startDate)}`}
        </Anchor>
        <Text size="sm">
          {`${formatMoney(amount)}, ${CYCLE_LABELS[renewalCycle].toLowerCase()}${nextDate(contract)}`}
        </Text>
      </Stack>
      <Badge color={badge.color}>{badge.text}</Badge>
    </Group>
  )
}

function nextDate({ status, endsOn, renewalDate }: Contract): string {
  if (!isOpen(status)) return ''
  return endsOn ? `, ends on ${formatDay(endsOn)}` : `, renews on ${formatDay(renewalDate)}`
}
