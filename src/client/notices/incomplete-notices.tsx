import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { InfoCircledIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { listInput, START } from '#client/list/list-position.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { counted } from '#client/text/counted.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import type { NoticesSearch } from './notices-search.ts'

type Incomplete = Outputs['notices']['incomplete']['rows'][number]

/** How many contracts have a rule, but not what its days are counted from; nothing if there are none. */
export function IncompleteHint({ total }: { total: number }) {
  if (total === 0) return null
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" px="md" pt="md">
      <InfoCircledIcon aria-hidden style={{ flex: 'none', marginTop: 3 }} />
      <Text size="sm">
        {`Data is missing for ${counted(total, 'contracts')} with a notice rule, so it is not known when notice is due. `}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/notices" search={{ ...START, show: 'incomplete' }} {...props} />}
        >
          Show what is missing
        </Anchor>
      </Text>
    </Group>
  )
}

interface IncompleteNoticesProps {
  label: string
  empty: { title: string; hint: string }
  search: NoticesSearch
  onSearch: (changes: Partial<NoticesSearch>) => void
}

/** The contracts to which a rule applies and whose notice windows cannot be computed, with what is missing. */
export function IncompleteNotices({ label, empty, search, onSearch }: IncompleteNoticesProps) {
  const { show: _show, ...position } = listInput(search)
  const contracts = trpc.notices.incomplete.useQuery(position, { placeholderData: keepPreviousData })
  const pager = useListPager(contracts, search, onSearch)
  if (contracts.isPending) return <Placeholder heights={[240]} />
  if (contracts.error) {
    const message = failureText(contracts.error, { failed: 'Failed to fetch the contracts with missing data' })
    return <ErrorState message={message} onRetry={() => void contracts.refetch()} />
  }
  const { rows, total, amount } = contracts.data
  if (total === 0) return <EmptyState {...empty} />
  return (
    <Stack gap={0}>
      <Text p="md" fw={600}>
        {`${formatMoney(amount)} in ${counted(total, 'contracts')}: it is not known when notice is due`}
      </Text>
      <Stack component="ul" gap={0} m={0} p={0} aria-label={label} style={{ listStyle: 'none' }}>
        {rows.map((contract) => (
          <Entry key={contract.contractId} contract={contract} />
        ))}
      </Stack>
      {pager && pager.pages.count > 1 && (
        <Box p="md">
          <Pager {...pager} />
        </Box>
      )}
    </Stack>
  )
}

function Entry({ contract }: { contract: Incomplete }) {
  const { contractId, customerName, title, renewalDate, amount, ruleName, consequence, derivation, remedy } = contract
  return (
    <Stack
      component="li"
      gap={2}
      p="md"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)', overflowWrap: 'anywhere' }}
    >
      <Anchor
        fw={500}
        style={{ alignSelf: 'flex-start' }}
        renderRoot={(props) => <Link to="/contracts/$id" params={{ id: contractId }} {...props} />}
      >
        {title === null ? customerName : `${customerName}, ${title}`}
      </Anchor>
      <Text size="sm">{`${derivation}. ${remedy}.`}</Text>
      <Text size="sm" c="dimmed">
        {`Renewal on ${formatDay(renewalDate)}: ${formatMoney(amount)}. Rule: ${ruleName}. Without notice: ${consequence}.`}
      </Text>
    </Stack>
  )
}
