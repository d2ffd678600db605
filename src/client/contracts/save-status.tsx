import { useRef, useState } from 'react'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import { trpc } from '#client/api/trpc.ts'
import { inRows, type WithRows } from '#client/api/use-at-once.ts'
import { ConflictChoices } from '#client/forms/conflict-choices.tsx'
import { EditConflict } from '#client/forms/edit-conflict.ts'
import { useOnceMounted } from '#client/forms/use-once-mounted.ts'
import { useSaveMerged } from '#client/forms/use-save-merged.ts'
import { STATUS_LABELS } from '#client/text/contract-words.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import type { Contract } from './form/contract-form.ts'
import { ReopenContract } from '#client/renewals/reopen-contract.tsx'

interface Values extends Pick<Contract, 'status' | 'version'> {
  /** The customer gets no emails about the renewal date. */
  reminders?: 'off'
}
type Conflict = EditConflict<Values>

const FAILURE = { failed: 'Failed to save contract', network: 'Network error' }

interface SaveStatusProps {
  contract: Contract
  /** The one that was chosen. */
  status: ContractStatus
  /** Whether another one has been chosen since. */
  isReplaced: () => boolean
  /** It was saved, refused, or called off. */
  onDone: () => void
}

/**
 * Saves a chosen status. Asks first if the customer would get emails because of it, and afterwards if somebody else has chosen
 * another status meanwhile.
 */
export function SaveStatus({ contract: shown, status, isReplaced, onDone }: SaveStatusProps) {
  // As it was when the status was chosen: meanwhile it is shown with that status.
  const [contract] = useState(shown)
  const [attempt, setAttempt] = useState({ status, before: valuesOf(contract) })
  const [conflict, setConflict] = useState<Conflict>()
  const save = useSaveStatus(contract.id, { onDone, onConflict: setConflict })
  if (conflict) {
    const retry = (chosen: ContractStatus) => {
      setConflict(undefined)
      if (chosen === conflict.theirs.status) return onDone()
      return setAttempt({ status: chosen, before: conflict.theirs })
    }
    return <StatusConflict contract={contract} conflict={conflict} onChoose={retry} onClose={onDone} />
  }
  const ends = { isReplaced, onSave: save, onCancel: onDone }
  return <Attempt key={attempt.before.version} {...attempt} {...ends} contract={contract} />
}

function valuesOf({ status, version }: Values): Values {
  return { status, version }
}

interface Ends {
  onDone: () => void
  onConflict: (conflict: Conflict) => void
}

function useSaveStatus(id: number, { onDone, onConflict }: Ends) {
  const { client } = trpc.useUtils()
  const { mutate } = useSaveMerged<Values, WithRows<Contract>>({
    feature: 'contracts',
    scope: `contract-${id}`,
    changeOf: ({ status }) => inRows<Contract>((contract) => ({ ...contract, status }), id),
    failure: FAILURE,
    save: ({ version: _version, ...chosen }, seen) =>
      client.contracts.update.mutate({ id, version: seen.version, ...chosen }),
    current: async () => valuesOf(await client.contracts.get.query({ id })),
  })
  return (values: Values, before: Values) =>
    mutate(
      { values, before },
      { onSuccess: onDone, onError: (error) => (error instanceof EditConflict ? onConflict(error) : onDone()) },
    )
}

interface AttemptProps {
  contract: Contract
  status: ContractStatus
  before: Values
  isReplaced: () => boolean
  onSave: (values: Values, before: Values) => void
  onCancel: () => void
}

function Attempt({ contract, status, before, isReplaced, onSave, onCancel }: AttemptProps) {
  const isSaving = useRef(false)
  // Only an active contract renews or expires by itself, so becoming active or pending can bring emails as well.
  const actsByItself = contract.renews !== 'by_agreement' && contract.endsOn === null
  const mayBringMail = isOpen(status) && (!isOpen(before.status) || actsByItself)
  const save = (reminders: { reminders?: 'off' }) => {
    isSaving.current = true
    onSave({ ...before, status, ...reminders }, before)
  }
  useOnceMounted(() => mayBringMail || save({}))
  if (!mayBringMail) return null
  return (
    <ReopenContract
      contract={{ ...contract, ...valuesOf(before) }}
      status={status}
      isReplaced={isReplaced}
      onSave={save}
      onClosed={() => isSaving.current || onCancel()}
    />
  )
}

interface StatusConflictProps {
  contract: Contract
  conflict: Conflict
  onChoose: (status: ContractStatus) => void
  onClose: () => void
}

/** The status that was chosen and the one that somebody else has chosen meanwhile. */
function StatusConflict({ contract, conflict, onChoose, onClose }: StatusConflictProps) {
  const [values, setValues] = useState(conflict.merged)
  return (
    <FormDialog
      opened
      title={`Status of the Contract with ${contract.customerName}`}
      submitLabel="Save"
      unsaved={false}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(values.status)
      }}
      onClose={onClose}
    >
      <ConflictChoices
        conflict={conflict}
        fields={[{ name: 'status', label: 'Status', text: statusText }]}
        values={values}
        onChoose={(changes) => setValues({ ...values, ...changes })}
      />
    </FormDialog>
  )
}

function statusText(status: string): string {
  return new Map(Object.entries(STATUS_LABELS)).get(status) ?? status
}
