import { schemaResolver, useForm } from '@mantine/form'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { daysLeft } from '#shared/domain/contract-term.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import { lastDayForNoticeOf } from '#shared/domain/notice-period.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import type { ConflictField } from '#client/forms/conflict-choices.tsx'
import { saveMerged } from '#client/forms/edit-conflict.ts'
import { CYCLE_LABELS, RENEWS_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import { trpc, type Inputs } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { entered, inRows, useAtOnce } from '#client/api/use-at-once.ts'
import { tagsIn, tagsText } from '#client/tags/tags-text.ts'
import { formatDay } from '#client/text/format.ts'
import { renewalAmountError } from '#client/renewals/amount-error.ts'
import { unclearAmount } from '#client/text/unclear-amount.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import type { ContractDialogPage } from './contract-dialog-pages.ts'
import { contractValues, type Contract, type ContractValues } from './contract-fields.tsx'

export type { Contract } from './contract-fields.tsx'

const REQUIRED = ['customerId', 'amount', 'startDate', 'renewalDate'] as const
const wrongFields = schemaResolver(CreateContract, { sync: true })

/** Missing fields get no message of their own: the dialog says once that all are required. */
export function useContractForm(page: ContractDialogPage) {
  return useForm<ContractValues>({
    initialValues: contractValues(undefined, page),
    validate: (values) => {
      const missing = REQUIRED.filter((name) => values[name] === null || values[name] === '')
      return {
        ...wrongFields(sentValues(values)),
        ...amountFault(values),
        ...Object.fromEntries(missing.map((name) => [name, true])),
      }
    },
  })
}

/** What is wrong with one field, edited alone. */
export function contractFieldError(values: ContractValues, name: keyof ContractValues): string | undefined {
  if (REQUIRED.some((one) => one === name) && values[name] === '') return 'Enter a value'
  if (name === 'nextAmount') return values.nextAmount.trim() === '' ? undefined : renewalAmountError(values.nextAmount)
  const error = (name === 'amount' && unclearAmount(values.amount)) || wrongFields(sentValues(values))[name]
  return typeof error === 'string' ? error : undefined
}

function amountFault({ amount }: ContractValues): { amount?: string } {
  const fault = unclearAmount(amount)
  return fault === undefined ? {} : { amount: fault }
}

/** Adds a contract, or changes what differs from `before`. Resolves to what was saved, and the message to show. */
export function useSaveContract(contract: Contract | undefined, onAdded?: (id: number) => void) {
  const create = trpc.contracts.create.useMutation()
  const today = useAccountToday()
  const update = trpc.contracts.update.useMutation(useAtOnce('contracts', (changes) => edited(changes, today())))
  const refresh = useRefresh()
  const { client } = trpc.useUtils()
  const edit = ({ id }: Contract, values: ContractValues, before: ContractValues) =>
    saveMerged({
      values,
      before,
      save: (merged, seen) =>
        update.mutateAsync({
          id,
          version: seen.version,
          ...changedFields(editedValues(seen), editedValues(merged)),
        }),
      current: async () => contractValues(await client.contracts.get.query({ id }), 'contracts'),
    })
  return async (values: ContractValues, before: ContractValues) => {
    const saved = contract ? await edit(contract, values, before) : await create.mutateAsync(sentValues(values))
    const { id } = saved
    if (!contract) {
      onAdded?.(id)
      void refresh()
    }
    return { id, saved, message: contract ? 'Contract updated successfully!' : 'Contract added successfully!' }
  }
}

/** A contract with the fields as they were entered, and what follows from its renewal date. */
function edited(
  { id, version: _version, reminders: _reminders, ...fields }: Inputs['contracts']['update'],
  today: Day,
) {
  return inRows<Contract>((contract) => {
    const shown = { ...entered(contract, fields) }
    shown.noticeDate = lastDayForNoticeOf(shown)
    if (shown.renewalDate !== contract.renewalDate) shown.daysLeft = daysLeft(shown, today)
    return shown
  }, Number(id))
}

export const CONTRACT_CONFLICTS: ConflictField<ContractValues>[] = [
  { name: 'customerName', label: 'Customer', along: ['customerId'] },
  { name: 'title', label: 'Title' },
  { name: 'reference', label: 'Reference' },
  { name: 'amount', label: 'Amount', text: (amount) => `$${amount}` },
  { name: 'startDate', label: 'Start Date', text: dayText },
  { name: 'renewalCycle', label: 'Renewal Cycle', text: labelIn(CYCLE_LABELS) },
  { name: 'renewalDate', label: 'Renewal Date', text: dayText },
  { name: 'status', label: 'Status', text: labelIn(STATUS_LABELS) },
  { name: 'renews', label: 'Renews', text: labelIn(RENEWS_LABELS) },
  { name: 'noticePeriod', label: 'Notice' },
  { name: 'nextAmount', label: 'Amount From Next Term', text: (amount) => `$${amount}` },
  { name: 'nextCycle', label: 'Cycle From Next Term', text: labelIn(CYCLE_LABELS) },
  { name: 'tags', label: 'Tags', text: tagsText },
]

function dayText(day: string): string {
  return isDay(day) ? formatDay(day) : day
}

function labelIn(labels: Record<string, string>) {
  return (value: string) => labels[value] ?? value
}

/** Muting applies only to the date it was chosen for. */
export function isMuted({ mutedDate, renewalDate }: ContractValues): boolean {
  return mutedDate !== null && mutedDate === renewalDate
}

// No customer has the ID 0: the schema refuses a contract without a customer.
function sentValues(values: ContractValues) {
  const {
    customerName: _name,
    mutedDate: _date,
    version: _version,
    nextAmount: _next,
    nextCycle: _cycle,
    ...sent
  } = values
  const { amount, customerId, tags, ...others } = sent
  const fields = { ...others, tags: tagsIn(tags), customerId: customerId ?? 0, amount: dollarsOf(amount) }
  return isMuted(values) ? { ...fields, reminders: 'off' as const } : fields
}

/** With what is scheduled for the next term, which a new contract does not have. */
function editedValues(values: ContractValues) {
  const { nextAmount, nextCycle } = values
  return {
    ...sentValues(values),
    nextAmount: nextAmount.trim() === '' ? null : dollarsOf(nextAmount),
    nextCycle: nextCycle === '' ? null : nextCycle,
  }
}

/** NaN where it cannot be read. */
export function dollarsOf(text: string): number {
  const read = readTypedAmount(text)
  return typeof read === 'number' ? read : Number.NaN
}
