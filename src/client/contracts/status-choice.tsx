import { Badge } from '@mantine/core'
import { ChevronDownIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { CONTRACT_STATUSES, isOpen } from '#shared/domain/contract-status.ts'
import { STATUS_LABELS, statusBadge } from '#client/text/contract-words.ts'
import { trpc, type Inputs } from '#client/api/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { inRows, useAtOnce } from '#client/api/use-at-once.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import type { Contract } from './form/contract-form.ts'
import classes from './status-choice.module.css'

const FAILURE = { failed: 'Failed to save contract', network: 'Network error' }
const Reopen = onDemand(async () => (await import('./contract-dialogs.tsx')).ReopenContract)

/** Saves a chosen status immediately. Asks first if the customer would get emails again. */
export function StatusChoice({ contract }: { contract: Contract }) {
  const isRefused = useReadOnlyGuard()
  const update = trpc.contracts.update.useMutation({
    // One after the other, so that the last choice wins.
    scope: { id: `contract-${contract.id}` },
    ...useAtOnce('contracts', withStatus, { failure: FAILURE }),
  })
  const [reopening, setReopening] = useState<Contract['status']>()
  const status = reopening ?? contract.status
  const badge = statusBadge({ ...contract, status })
  const choose = (value: string) => {
    if (isRefused()) return
    const next = statusOf(value)
    const isReopened = next && isOpen(next) && !isOpen(contract.status)
    setReopening(isReopened ? next : undefined)
    if (next && !isReopened) update.mutate({ id: contract.id, status: next })
  }
  return (
    <span className={classes.choice}>
      <Badge aria-hidden color={badge.color} className={classes.badge ?? ''} rightSection={<ChevronDownIcon />}>
        {badge.text}
      </Badge>
      <select
        className={classes.select}
        aria-label={`Status of the contract with ${contract.customerName}`}
        value={status}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {CONTRACT_STATUSES.map((one) => (
          <option key={one} value={one}>
            {STATUS_LABELS[one]}
          </option>
        ))}
      </select>
      {reopening && (
        <Reopen.Part
          wanted
          key={reopening}
          contract={contract}
          status={reopening}
          onSave={(reminders) => update.mutate({ id: contract.id, status: reopening, ...reminders })}
          onClosed={() => setReopening(undefined)}
        />
      )}
    </span>
  )
}

function statusOf(value: string | undefined) {
  return CONTRACT_STATUSES.find((status) => status === value)
}

function withStatus({ id, status }: Inputs['contracts']['update']) {
  return inRows<Contract>((contract) => ({ ...contract, status: statusOf(status) ?? contract.status }), Number(id))
}
