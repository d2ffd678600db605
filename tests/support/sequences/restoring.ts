import { isDeepStrictEqual as isSame } from 'node:util'
import { isInTrash, type ContractState } from './contract-state.ts'
import { eachContract, type Step } from './laws.ts'

/** A change that can be undone, with the contract before and after it; none before it where it was created. */
interface Change {
  before: ContractState | undefined
  after: ContractState
}

type Changes = Map<number, Change>

/** What counts changes, or says whether there were any. */
const COUNTED = new Set(['version', 'edited_at'])

/** Undoing an import or a change of many, and restoring from the trash, are the exact inverse where nothing was changed since. */
export class Restoring {
  readonly #deletions: Changes = new Map()
  readonly #imports = new Map<number, Changes>()
  #many: Changes = new Map()
  #isChangingMany = false
  #isUndoingMany = false

  faultsOf(step: Step): string[] {
    const faults = [...this.#faultsOfTrash(step), ...this.#faultsOfImports(step), ...this.#faultsOfMany(step)]
    if (step.name === 'import' && step.refusal === undefined)
      this.#imports.set(step.imports.after.at(-1) ?? 0, changesOf(step))
    if (step.name === 'select many') this.#isChangingMany = step.refusal === undefined
    if (step.name === 'change many' && this.#isChangingMany) this.#many = changesOf(step)
    if (step.name === 'select what to undo') this.#isUndoingMany = step.refusal === undefined
    return faults
  }

  #faultsOfTrash({ before, after }: Step): string[] {
    return eachContract(after, (state) => {
      const old = before.get(state.id)
      if (!old || isInTrash(old) === isInTrash(state)) return []
      if (isInTrash(state)) return (this.#deletions.set(state.id, { before: old, after: state }), [])
      const deletion = this.#deletions.get(state.id)
      if (!deletion?.before) return ['it was restored, and had not been deleted']
      const isUntouched = isSame(old.row, deletion.after.row) && isSame(old.messages, deletion.after.messages)
      return isUntouched ? differences(withImportOf(deletion.before, deletion.after), state) : []
    })
  }

  #faultsOfImports({ name, refusal, before, after, imports }: Step): string[] {
    const id = imports.before.at(-1) ?? 0
    const changes = this.#imports.get(id)
    if (name !== 'undo import' || refusal !== undefined || !changes) return []
    const faults = eachContract(after, (state) => {
      const [change, now] = [changes.get(state.id), before.get(state.id)]
      if (!change || !now) return isSame(now, state) ? [] : ['the import had not changed it, and undoing that has']
      if (change.before) return undone({ before: change.before, after: change.after }, now, state)
      const isUnedited = now.row['version'] === change.after.row['version']
      return isUnedited && !isInTrash(state) ? ['it was imported, and is still there'] : []
    })
    for (const [contractId, { before: old }] of changes)
      if (old && !isSame(before.get(contractId), after.get(contractId))) changes.delete(contractId)
    return faults
  }

  #faultsOfMany({ name, before, after }: Step): string[] {
    if (name !== 'undo many' || !this.#isUndoingMany) return []
    const changes = this.#many
    this.#many = new Map()
    return eachContract(after, (state) => {
      const [change, now] = [changes.get(state.id), before.get(state.id)]
      if (!change?.before || !now) return isSame(now, state) ? [] : ['it had not been changed, and undoing that has']
      const isUntouched = now.row['version'] === change.after.row['version']
      if (isUntouched) {
        const messages = messagesBefore(change.before, change.after, now)
        return differences({ ...change.before, messages }, state)
      }
      const isOvertaken = valuesChanged(change.before, change.after).some(
        (name) => !isSame(now.row[name], change.after.row[name]),
      )
      return isOvertaken && !isSame(now.row, state.row) ? ['it was undone though it had been changed since'] : []
    })
  }
}

/** Those that a change has set, and that have to be as it left them; of a decision, `Undoing` knows. */
function valuesChanged(before: ContractState, after: ContractState): string[] {
  const isDecision = !isSame(before.decisions, after.decisions)
  const names = isDecision ? [] : ['tags', 'next_amount_cents']
  return names.filter((name) => !isSame(before.row[name], after.row[name]))
}

function changesOf({ before, after }: Step): Changes {
  const changed = [...after.values()].filter((state) => !isSame(before.get(state.id)?.row, state.row))
  return new Map(changed.map((state) => [state.id, { before: before.get(state.id), after: state }]))
}

/** As it was before the change, if that is the last one; otherwise as it is now. */
function undone(
  change: Required<Change> & { before: ContractState },
  now: ContractState,
  state: ContractState,
): string[] {
  const isUntouched = now.row['version'] === change.after.row['version'] && !isInTrash(now)
  if (isUntouched)
    return differences({ ...change.before, messages: messagesBefore(change.before, change.after, now) }, state)
  return isSame(now.row, state.row) ? [] : ['it was undone though it had been changed since']
}

/** Those that have to be there again: messages end by themselves as days pass, which changes no version. */
function messagesBefore(before: ContractState, after: ContractState, now: ContractState) {
  return isSame(now.messages, after.messages) ? before.messages : []
}

/** An import that is undone deletes the contract and is gone itself. */
function withImportOf(before: ContractState, { row }: ContractState): ContractState {
  return { ...before, row: { ...before.row, import_id: row['import_id'] } }
}

function differences(before: ContractState, restored: ContractState): string[] {
  const names = Object.keys(restored.row).filter((name) => !COUNTED.has(name))
  const faults = names
    .filter((name) => !isSame(before.row[name], restored.row[name]))
    .map((name) => `${name} was ${String(before.row[name])}, and is ${String(restored.row[name])} again`)
  if (!isSame(before.terms, restored.terms)) faults.push('its terms are not those from before')
  if (!isSame(before.decisions, restored.decisions)) faults.push('its decisions are not those from before')
  const planned = before.messages.filter(({ state }) => state === 'planned')
  const lost = planned.filter((message) => !restored.messages.some((one) => isSame(one, message)))
  return [...faults, ...lost.map(({ id }) => `message ${id} was planned, and is not any more`)]
}
