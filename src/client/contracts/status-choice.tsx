import { Badge } from '@mantine/core'
import { ChevronDownIcon } from '@radix-ui/react-icons'
import { useRef, useState } from 'react'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { STATUS_LABELS, statusBadge } from '#client/text/contract-words.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import type { Contract } from './form/contract-form.ts'
import classes from './status-choice.module.css'

const Save = onDemand(async () => (await import('./contract-dialogs.tsx')).SaveStatus)

/** Saves a chosen status immediately, with what `SaveStatus` asks. */
export function StatusChoice({ contract }: { contract: Contract }) {
  const isRefused = useReadOnlyGuard()
  const [chosen, setChosen] = useState<{ status: Contract['status']; number: number }>()
  const choices = useRef(0)
  const status = chosen?.status ?? contract.status
  const badge = statusBadge({ ...contract, status })
  const choose = (value: string) => {
    const found = CONTRACT_STATUSES.find((one) => one === value)
    if (isRefused() || !found) return
    choices.current += 1
    setChosen({ status: found, number: choices.current })
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
      {chosen && (
        <Save.Part
          wanted
          key={chosen.number}
          contract={contract}
          status={chosen.status}
          isReplaced={() => choices.current !== chosen.number}
          onDone={() => setChosen(undefined)}
        />
      )}
    </span>
  )
}
