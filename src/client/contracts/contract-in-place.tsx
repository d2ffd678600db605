import { isDay } from '#shared/domain/day.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { trpc } from '#client/api/trpc.ts'
import { failureText } from '#client/api/failure-text.ts'
import { EditConflict } from '#client/forms/edit-conflict.ts'
import { EditInPlace, type InPlaceField } from '#client/forms/edit-in-place.tsx'
import { ByItself } from '#client/renewals/by-itself.tsx'
import { longestWait } from '#client/mail/longest-wait.ts'
import { mailText, unknownMailText } from '#client/mail/mail-text.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import type { useMoveRenewal } from '#client/renewals/use-move-renewal.tsx'
import { CYCLE_LABELS, RENEWS_LABELS } from '#client/text/contract-words.ts'
import { formatDay } from '#client/text/format.ts'
import type { Detail } from '#client/ui/detail-list.tsx'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { CONTRACT_CONFLICTS, contractFieldError, useSaveContract, type Contract } from './form/contract-form.ts'
import { contractValues, type ContractValues } from './form/contract-fields.tsx'

type Name = 'title' | 'reference' | 'amount' | 'nextAmount' | 'nextCycle' | 'renewalDate' | 'noticePeriod' | 'renews'

const AS_NOW = 'Stays the same'
const NETWORK = 'Network error'
const RENEWED_SINCE = 'Not undone, because the contract has been renewed since'
const CHANGED_AGAIN = 'Not undone, because it has been changed again'

const SHOWN: Record<Name, Omit<InPlaceField<ContractValues>, 'name' | 'label'>> = {
  title: { shown: ({ title }) => title || 'None' },
  reference: { shown: ({ reference }) => reference || 'None' },
  amount: { shown: ({ amount, renewalCycle }) => `$${amount}, ${CYCLE_LABELS[renewalCycle].toLowerCase()}` },
  nextAmount: { shown: ({ nextAmount }) => (nextAmount ? `$${nextAmount}` : AS_NOW), placeholder: AS_NOW },
  nextCycle: {
    shown: ({ nextCycle }) => (nextCycle ? CYCLE_LABELS[nextCycle] : AS_NOW),
    options: [{ value: '', label: AS_NOW }, ...RENEWAL_CYCLES.map((value) => ({ value, label: CYCLE_LABELS[value] }))],
  },
  renewalDate: {
    type: 'date',
    shown: ({ renewalDate }) => (isDay(renewalDate) ? formatDay(renewalDate) : renewalDate),
  },
  noticePeriod: { shown: ({ noticePeriod }) => noticePeriod || 'None', placeholder: '30 days' },
  renews: {
    shown: ({ renews }) => RENEWS_LABELS[renews],
    options: RENEWS.map((value) => ({ value, label: RENEWS_LABELS[value] })),
  },
}

/** The details of a contract that are edited where they are shown. */
export function useEditableDetails(
  contract: Contract,
  move: Pick<ReturnType<typeof useMoveRenewal>, 'isSilent' | 'ask'>,
) {
  const saveContract = useSaveContract(contract)
  const mailOf = useMailOfChange()
  const { client } = trpc.useUtils()
  const values = contractValues(contract, 'contracts')
  const save = async (changed: ContractValues, before: ContractValues) => {
    const { renewalDate } = changed
    const isMoved = isDay(renewalDate) && renewalDate !== contract.renewalDate
    if (isMoved && !(await move.isSilent(contract, renewalDate))) {
      move.ask(contract, renewalDate)
      return false
    }
    const { saved, message } = await saveContract(changed, before)
    const mail = mailOf(saved, changedFields(mailedTerms(changed), mailedTerms(before)))
    void mail.then((text) =>
      text ? toastUndo(`${message} ${text}`, () => undo(saved, changedFields(changed, before))) : toastSuccess(message),
    )
    return true
  }
  /** Restores fields, unless they have been changed again, or the contract has been renewed because of them. */
  const undo = async (saved: Contract, fields: Partial<ContractValues>) => {
    const savedValues = contractValues(saved, 'contracts')
    try {
      const isRenewed = fields.renews && (await client.contracts.get.query({ id: saved.id })).term !== saved.term
      if (isRenewed) return toastFailure(RENEWED_SINCE)
      await saveContract({ ...savedValues, ...fields }, savedValues)
      toastSuccess('Undone')
    } catch (error) {
      const isChanged = error instanceof EditConflict
      toastFailure(isChanged ? CHANGED_AGAIN : failureText(error, { failed: 'Failed to undo', network: NETWORK }))
    }
  }
  const note = ({ renews }: ContractValues) => <ByItself contract={contract} changes={{ renews }} />
  return (name: Name, label: string): Detail => {
    const conflict = CONTRACT_CONFLICTS.find((one) => one.name === name)
    return {
      label,
      value: (
        <EditInPlace
          key={name}
          field={{ ...conflict, ...SHOWN[name], ...(name === 'renews' && { note }), name, label }}
          values={values}
          check={contractFieldError}
          save={save}
          failureOf={(error) => failureText(error, { failed: 'Failed to save contract', network: NETWORK })}
        />
      ),
    }
  }
}

/** What is edited here and decides about notices and follow-ups. */
function mailedTerms({ renews, noticePeriod, nextCycle }: ContractValues) {
  return { renews, noticePeriod, nextCycle: nextCycle || null }
}

/** Which emails a change brought in which these terms were replaced, in words; undefined for none. */
function useMailOfChange() {
  const { client } = trpc.useUtils()
  return async (saved: Contract, replaced: Partial<ReturnType<typeof mailedTerms>>) => {
    const { id, customerId, customerName, renewalDate, status } = saved
    const mayChangeMail = saved.renews !== 'by_agreement' || replaced.renews !== undefined
    if (!mayChangeMail || Object.keys(replaced).length === 0) return undefined
    const planned = { id, customerId, renewalDate, status, before: replaced }
    const asked = client.reminders.announceMail.query(planned).catch(() => undefined)
    const mail = await Promise.race([asked, longestWait()])
    if (!mail) return unknownMailText(customerName)
    return mail.count > 0 ? mailText(mail, customerName) : undefined
  }
}
