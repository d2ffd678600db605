import { Badge } from '@mantine/core'
import { ChevronDownIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { CONTRACT_STATUSES, isOpen } from '#shared/domain/contract-status.ts'
import { STATUS_LABELS, statusBadge } from '#client/text/contract-words.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import type { Contract } from './form/contract-form.ts'
import classes from './status-choice.module.css'

const FAILURE = { failed: 'Failed to save contract', network: 'Network error' }
const Reopen = onDemand(async () => (await import('./contract-dialogs.tsx')).ReopenContract)

/**
 * Saves a chosen status immediately, and shows it until its row is fetched; if saving fails, the old one returns. Asks
 * first if the customer would get emails again.
 */
export function StatusChoice({ contract }: { contract: Contract }) {
  const refresh = useRefresh()
  const isRefused = useReadOnlyGuard()
  const [saved, setSaved] = useState<{ over: Contract; status: Contract['status'] }>()
  const update = trpc.contracts.update.useMutation({
    // One after the other, so that the last choice wins.
    scope: { id: `contract-${contract.id}` },
    onSuccess({ status }) {
      setSaved({ over: contract, status })
      return refresh()
    },
    onError: (error) => toastFailure(failureText(error, FAILURE)),
  })
  const chosen = update.isPending ? statusOf(update.variables.status) : undefined
  const kept = saved?.over === contract ? saved.status : undefined
  const before = chosen ?? kept ?? contract.status
  const [reopening, setReopening] = useState<Contract['status']>()
  const status = reopening ?? before
  const badge = statusBadge({ ...contract, status })
  const choose = (value: string) => {
    if (isRefused()) return
    const next = statusOf(value)
    const isReopened = next && isOpen(next) && !isOpen(before)
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
