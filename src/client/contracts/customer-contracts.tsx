import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isOpen } from '#shared/domain/contract-status.ts'
import { trpc } from '#client/api/trpc.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { pricePerTerm, renewalExplained } from '#client/renewals/renewal-words.ts'
import { statusBadge } from '#client/text/contract-words.ts'
import { formatCount, formatDay } from '#client/text/format.ts'
import { Explained } from '#client/ui/explained.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { contractName } from './contract-name.ts'
import { contractsOfCustomer } from './contracts-of-customer.ts'
import classes from './customer-contracts.module.css'
import type { Contract } from './form/contract-form.ts'

const MOST_SHOWN = 10

/** The contracts of one customer, open ones first. */
export function CustomerContracts({ customerId }: { customerId: number }) {
  const contracts = trpc.contracts.list.useQuery(contractsOfCustomer(customerId))
  const { rows: all = [], total = 0 } = contracts.data ?? {}
  const rows = all.slice(0, MOST_SHOWN)
  return (
    <PageSection
      title={total > 0 ? <Explained how={COUNTED}>{`Contracts (${formatCount(total)})`}</Explained> : 'Contracts'}
    >
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

const COUNTED = 'All contracts of this customer, open and closed, but for those in the trash'

function Entry({ contract }: { contract: Contract }) {
  const { id } = contract
  const badge = statusBadge(contract)
  return (
    <Group component="li" justify="space-between" gap="xs" className={classes.entry}>
      <Stack gap={2}>
        <Anchor fw={600} renderRoot={(props) => <Link to="/contracts/$id" params={{ id }} {...props} />}>
          {contractName(contract)}
        </Anchor>
        <Text component="div" size="sm">
          {pricePerTerm(contract)}
          <NextDate contract={contract} />
        </Text>
      </Stack>
      <Badge color={badge.color}>{badge.text}</Badge>
    </Group>
  )
}

function NextDate({ contract }: { contract: Contract }) {
  const { status, endsOn, renewalDate, daysLeft } = contract
  if (!isOpen(status)) return null
  if (endsOn) return `, ends on ${formatDay(endsOn)}`
  return (
    <>
      {', '}
      <Explained
        how={renewalExplained(contract)}
      >{`${daysLeft < 0 ? 'was due to renew on' : 'renews on'} ${formatDay(renewalDate)}`}</Explained>
    </>
  )
}
