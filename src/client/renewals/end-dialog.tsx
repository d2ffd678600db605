import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Day } from '#shared/domain/day.ts'
import { failureText } from '#client/api/failure-text.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { formatDay } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { EndReason } from './end-reason.tsx'
import { useContractActs, type Contract } from './use-contract-acts.ts'
import { useAnyPendingAct } from './use-pending-acts.ts'

interface EndDialogProps {
  opened: boolean
  contract: Contract | undefined
  onClose: () => void
}

/** Decides that a contract ends: on its renewal date or today, and why. */
export function EndDialog({ opened, contract, onClose }: EndDialogProps) {
  if (!contract) return null
  return <EndForm key={`${contract.id} ${contract.version}`} opened={opened} contract={contract} onClose={onClose} />
}

const FAILURE = { failed: 'Failed to end contract', network: 'Network error' }

function EndForm({ opened, contract, onClose }: EndDialogProps & { contract: Contract }) {
  const today = useAccountToday()()
  const { end, isActing } = useContractActs()
  const isAnyPending = useAnyPendingAct()
  const [{ reason, note }, setWhy] = useState({ reason: '', note: '' })
  const change = (changes: { reason?: string; note?: string }) => setWhy((before) => ({ ...before, ...changes }))
  const isOver = contract.renewalDate <= today
  const [on, setOn] = useState<Day>(isOver ? today : contract.renewalDate)
  const [failure, setFailure] = useState<string>()
  const submit = () => {
    if (isActing(contract.id)) return
    if (reason === '') return setFailure('Choose a reason')
    setFailure(undefined)
    return end.mutate(
      { id: contract.id, term: contract.term, reason, note: note.trim() || null, on },
      { onSuccess: onClose, onError: (error) => setFailure(failureText(error, FAILURE)) },
    )
  }
  return (
    <FormDialog
      opened={opened}
      title="End Contract"
      submitLabel="End Contract"
      busy={end.isPending}
      waits={isAnyPending(contract.id)}
      unsaved={reason !== '' || note !== ''}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {`The contract with ${contract.customerName} will not be renewed. Planned messages to the customer will not be sent.`}
      </Text>
      {!isOver && <EndDay contract={contract} today={today} on={on} onChange={setOn} />}
      <EndReason reason={reason} note={note} onChange={change} />
    </FormDialog>
  )
}

interface EndDayProps {
  contract: Contract
  today: Day
  on: Day
  onChange: (on: Day) => void
}

function EndDay({ contract: { renewalDate }, today, on, onChange }: EndDayProps) {
  return (
    <Radio.Group
      label="When does it end?"
      value={on}
      onChange={(value) => onChange(value === today ? today : renewalDate)}
    >
      <Stack gap="xs" mt="xs">
        <Radio value={renewalDate} label={`On its renewal date, ${formatDay(renewalDate)}. It stays open until then`} />
        <Radio value={today} label={`Today, ${formatDay(today)}`} />
      </Stack>
    </Radio.Group>
  )
}
