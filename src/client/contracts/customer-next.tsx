import { Anchor, Box, Paper, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isOpen } from '#shared/domain/contract-status.ts'
import { daysBetween } from '#shared/domain/day.ts'
import { trpc } from '#client/api/trpc.ts'
import { REMINDER_SPACE } from '#client/mail/by-hand/reminder-space.ts'
import { renewalExplained } from '#client/renewals/renewal-words.ts'
import { timeLeftText } from '#client/text/contract-words.ts'
import { formatDay } from '#client/text/format.ts'
import { Explained } from '#client/ui/explained.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { contractName } from './contract-name.ts'
import { contractsOfCustomer } from './contracts-of-customer.ts'
import type { Contract } from './form/contract-form.ts'

const Reminder = onDemand(async () => (await import('#client/mail/by-hand/customer-reminder.tsx')).CustomerReminder)

/** A customer's next date, over all of their open contracts, with the days to it, and a reminder about one of them. */
export function CustomerNext({ customerId }: { customerId: number }) {
  const contracts = trpc.contracts.list.useQuery(contractsOfCustomer(customerId))
  if (contracts.isPending) return <Placeholder heights={[120]} />
  // The list of contracts below says that it could not be fetched.
  if (!contracts.data) return null
  const dated = contracts.data.rows.filter(({ status }) => isOpen(status)).map(datedContract)
  const overdueOnes = dated.filter(({ daysLeft }) => daysLeft < 0)
  const coming = dated.filter(({ daysLeft }) => daysLeft >= 0).toSorted((one, other) => one.daysLeft - other.daysLeft)
  const [overdue] = overdueOnes
  const [next] = coming
  return (
    <Paper withBorder p="lg" component="section" aria-label="What comes next">
      <Stack>
        <div>
          {overdue && <NextDate {...overdue} />}
          {next && <NextDate {...next} />}
          {dated.length === 0 && <Text c="dimmed">No open contract, so nothing comes next</Text>}
        </div>
        {dated.length > 0 && (
          <Box {...REMINDER_SPACE}>
            <Reminder.Part
              wanted
              customerId={customerId}
              contracts={[...coming, ...overdueOnes].map(({ contract, what, day }) => {
                const { id, customerName } = contract
                return { id, customerName, label: `${contractName(contract)}, ${what} ${formatDay(day)}` }
              })}
            />
          </Box>
        )}
      </Stack>
    </Paper>
  )
}

/** An open contract with its next date: the one on which it ends, if that has been decided. */
function datedContract(contract: Contract) {
  const { endsOn, renewalDate, daysLeft } = contract
  if (endsOn === null) {
    return { contract, day: renewalDate, daysLeft, what: daysLeft < 0 ? 'was due to renew on' : 'renews on' }
  }
  return { contract, day: endsOn, daysLeft: daysLeft - daysBetween(endsOn, renewalDate), what: 'ends on' }
}

const DECIDED = 'It was decided that the contract ends on that day.'

function NextDate({ contract, day, daysLeft, what }: ReturnType<typeof datedContract>): ReactNode {
  const { id, endsOn } = contract
  const nearest =
    daysLeft < 0
      ? "The earliest of this customer's overdue contracts"
      : "The nearest date of this customer's open contracts"
  return (
    <Text component="div">
      <Anchor inherit fw={600} renderRoot={(props) => <Link to="/contracts/$id" params={{ id }} {...props} />}>
        {contractName(contract)}
      </Anchor>{' '}
      <Explained
        how={`${nearest}. ${endsOn ? DECIDED : renewalExplained(contract)}`}
      >{`${what} ${formatDay(day)}`}</Explained>
      {', '}
      <Explained how={`Calendar days from today to ${formatDay(day)}`}>
        {timeLeftText(daysLeft).toLowerCase()}
      </Explained>
    </Text>
  )
}
