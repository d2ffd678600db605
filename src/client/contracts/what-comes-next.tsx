import { Badge, Box, Group, Paper, Stack, Text } from '@mantine/core'
import { isOpen } from '#shared/domain/contract-status.ts'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { REMINDER_SPACE } from '#client/mail/by-hand/reminder-space.ts'
import { pricePerTerm, renewalExplained } from '#client/renewals/renewal-words.ts'
import { useContractActs } from '#client/renewals/use-contract-acts.ts'
import { useDecisions } from '#client/renewals/use-decisions.tsx'
import { useAnyPendingAct } from '#client/renewals/use-pending-acts.ts'
import { statusBadge, timeLeftText } from '#client/text/contract-words.ts'
import { formatDay } from '#client/text/format.ts'
import { Explained } from '#client/ui/explained.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import type { Contract } from './form/contract-form.ts'

const Reminder = onDemand(async () => (await import('#client/mail/by-hand/contract-reminder.tsx')).ContractReminder)

/** A contract's status, its next date with the days to it, and what can be decided. */
export function WhatComesNext({ contract }: { contract: Contract }) {
  const badge = statusBadge(contract)
  return (
    <Paper withBorder p="lg" component="section" aria-label="What comes next">
      <Stack>
        <Group gap="sm">
          <Badge color={badge.color}>{badge.text}</Badge>
          <NextDate contract={contract} />
          <NextTerm contract={contract} />
        </Group>
        <Acts contract={contract} />
      </Stack>
    </Paper>
  )
}

/** The contract's next date, and how far away it is. */
function NextDate({ contract }: { contract: Contract }) {
  const { status, endsOn, renewalDate, daysLeft } = contract
  if (!isOpen(status)) return endsOn && <Text>{`Ended on ${formatDay(endsOn)}`}</Text>
  if (endsOn) return <Text>{`Ends on ${formatDay(endsOn)}`}</Text>
  return (
    <Text component="div">
      <Explained how={renewalExplained(contract)}>
        {`${daysLeft < 0 ? 'Was due to renew on' : 'Renews on'} ${formatDay(renewalDate)}`}
      </Explained>
      {', '}
      <Explained how={`Calendar days from today to ${formatDay(renewalDate)}`}>
        {timeLeftText(daysLeft).toLowerCase()}
      </Explained>
    </Text>
  )
}

/** What is scheduled for the next term. */
function NextTerm({ contract }: { contract: Contract }) {
  const { nextAmount, nextCycle, amount, renewalCycle, renewalDate, status, endsOn } = contract
  if ((nextAmount === null && nextCycle === null) || !isOpen(status) || endsOn !== null) return null
  const next = pricePerTerm({ amount: nextAmount ?? amount, renewalCycle: nextCycle ?? renewalCycle })
  return (
    <Text component="div">
      <Explained how={`Scheduled for the term that begins on ${formatDay(renewalDate)}. Now ${pricePerTerm(contract)}`}>
        {`Next term: ${next}`}
      </Explained>
    </Text>
  )
}

/** What can be decided about the contract now. */
function Acts({ contract }: { contract: Contract }) {
  const { undo } = useContractActs()
  const isAnyPending = useAnyPendingAct()
  const decisions = useDecisions()
  const { id } = contract
  // The last act shows before it is over: until then no other one begins.
  const busy = isAnyPending(id) || decisions.isPending('reopen', id)
  // Cached by the timeline below.
  const terms = trpc.contracts.terms.useQuery({ id })
  const decision = terms.data?.[0]?.decision ?? null
  const isRunning = isOpen(contract.status) && contract.endsOn === null
  const kept = useKeptFocus(String(isRunning))
  return (
    <div {...kept}>
      <Group gap="sm" {...whenButtonNears(decisions.prefetch)}>
        {isRunning && (
          <>
            <ChangeButton busy={busy} data-at-once onClick={() => decisions.renew(contract)}>
              Renew
            </ChangeButton>
            {contract.daysLeft >= 0 && (
              <ChangeButton variant="default" onClick={() => decisions.renewWithChanges(contract)}>
                Renew With Changes
              </ChangeButton>
            )}
            <ChangeButton variant="default" busy={busy} onClick={() => decisions.end(contract)}>
              End
            </ChangeButton>
          </>
        )}
        {!isRunning && (
          <ChangeButton busy={busy} onClick={() => decisions.reopen(contract)}>
            {isOpen(contract.status) ? 'Keep Open' : 'Reopen'}
          </ChangeButton>
        )}
        {decision !== null && (
          <ChangeButton variant="subtle" busy={busy} onClick={() => undo(contract, decision)}>
            Undo Last Decision
          </ChangeButton>
        )}
        {isOpen(contract.status) && (
          <Box {...REMINDER_SPACE}>
            <Reminder.Part wanted contract={contract} />
          </Box>
        )}
        {decisions.dialogs}
      </Group>
    </div>
  )
}
