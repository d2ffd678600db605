import { useEffect, useEffectEvent } from 'react'
import { failureText } from '#client/failure-text.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { useOutcome } from '#client/ui/use-outcome.ts'
import { ContractFields } from './contract-fields.tsx'
import { CONTRACT_DOORS, type ContractDoor } from './contract-doors.ts'
import { contractValues, useContractForm, useSaveContract, type Contract } from './contract-form.ts'

const CLOSES_AFTER_MS = 1500

interface ContractDialogProps {
  opened: boolean
  /** Where the dialog stands: it decides on the texts and on the status that a new contract gets. */
  door: ContractDoor
  /** What is edited; nothing where a contract is added. */
  contract?: Contract | undefined
  onClose: () => void
}

/** Adds a contract, or edits one. */
export function ContractDialog({ opened, door, contract, onClose }: ContractDialogProps) {
  const form = useContractForm(door)
  const outcome = useOutcome({ opened, onClose, closesAfterMs: CLOSES_AFTER_MS })
  const save = useSaveContract(contract)
  const start = useEffectEvent(() => {
    outcome.clear()
    form.clearErrors()
    form.setValues(contractValues(contract, door))
  })
  useEffect(() => {
    if (opened) start()
  }, [opened])

  const submit = form.onSubmit(
    async (values) => {
      if (outcome.success) return
      outcome.clear()
      const fail = (error: unknown) => outcome.fail(failureText(error, CONTRACT_DOORS[door].failure))
      await save(values).then(outcome.succeed, fail)
    },
    (errors) => {
      outcome.clear()
      form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
    },
  )
  const isIncomplete = Object.values(form.errors).includes(true)
  const title = contract ? 'Edit Contract' : 'Add Contract'
  return (
    <FormDialog
      opened={opened}
      title={title}
      submitLabel={contract ? 'Save Changes' : title}
      busy={form.submitting}
      error={isIncomplete ? CONTRACT_DOORS[door].required : outcome.error}
      success={outcome.success}
      onSubmit={submit}
      onClose={onClose}
    >
      <ContractFields form={form} />
    </FormDialog>
  )
}
