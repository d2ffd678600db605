import { schemaResolver, useForm } from '@mantine/form'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import { comingRenewal, type RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import { trpc, type Answers } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { amountText, parseAmount } from './amount.ts'
import { CONTRACT_DIALOG_PAGES, type ContractDialogPage } from './contract-dialog-pages.ts'

export type Contract = Answers['contracts']['get']

export interface ContractValues {
  customerId: number | null
  /** What stands in the picker, chosen or not. */
  customerName: string
  amount: string
  startDate: string
  renewalCycle: RenewalCycle
  renewalDate: string
  status: ContractStatus
  /** The renewal date that the customer is not to be written to about. */
  mutedDate: string | null
}

const REQUIRED = ['customerId', 'amount', 'startDate', 'renewalDate'] as const
const wrongFields = schemaResolver(CreateContract, { sync: true })

export function contractValues(contract: Contract | undefined, page: ContractDialogPage): ContractValues {
  return {
    customerId: contract?.customerId ?? null,
    customerName: contract?.customerName ?? '',
    amount: contract ? amountText(contract.amount) : '',
    startDate: contract?.startDate ?? '',
    renewalCycle: contract?.renewalCycle ?? 'monthly',
    renewalDate: contract?.renewalDate ?? '',
    status: contract?.status ?? CONTRACT_DIALOG_PAGES[page].status,
    mutedDate: null,
  }
}

/** A field that is missing is marked without words: the dialog says once that all are required. */
export function useContractForm(page: ContractDialogPage) {
  return useForm<ContractValues>({
    initialValues: contractValues(undefined, page),
    validate: (values) => {
      const missing = REQUIRED.filter((name) => values[name] === null || values[name] === '')
      return { ...wrongFields(sentValues(values)), ...Object.fromEntries(missing.map((name) => [name, true])) }
    },
  })
}

/** Adds a contract, or changes what differs from `before`. Resolves to what to say about it. */
export function useSaveContract(contract: Contract | undefined, onAdded?: (id: number) => void) {
  const create = trpc.contracts.create.useMutation()
  const update = trpc.contracts.update.useMutation()
  const refresh = useRefresh()
  return async (values: ContractValues, before: ContractValues): Promise<string> => {
    const sent = sentValues(values)
    const saved = contract
      ? await update.mutateAsync({ id: contract.id, ...changedFields(sentValues(before), sent) })
      : await create.mutateAsync(sent)
    if (!contract) onAdded?.(saved.id)
    void refresh()
    return contract ? 'Contract updated successfully!' : 'Contract added successfully!'
  }
}

type Terms = Partial<Pick<ContractValues, 'startDate' | 'renewalCycle'>>

/** Other terms suggest another renewal date, from `today` on, unless one of somebody's own stands there. */
export function withTerms(values: ContractValues, terms: Terms, today: Day) {
  const changed = { ...values, ...terms }
  const isOwn = values.renewalDate !== '' && values.renewalDate !== suggestedRenewal(values, today)
  return isOwn ? changed : { ...changed, renewalDate: suggestedRenewal(changed, today) }
}

function suggestedRenewal({ startDate, renewalCycle }: ContractValues, today: Day): string {
  if (!isDay(startDate) || startDate >= LAST_START) return ''
  return comingRenewal(startDate, renewalCycle, today)
}

// A cycle later there would be no calendar day any more.
const LAST_START = '2999-01-01'

/** What was chosen for one renewal date says nothing of another that is entered afterwards. */
export function isMuted({ mutedDate, renewalDate }: ContractValues): boolean {
  return mutedDate !== null && mutedDate === renewalDate
}

// Nobody has the number 0: without a customer the schema refuses the contract.
function sentValues(values: ContractValues) {
  const { customerName: _name, mutedDate: _date, amount, customerId, ...others } = values
  const sent = { ...others, customerId: customerId ?? 0, amount: parseAmount(amount) }
  return isMuted(values) ? { ...sent, reminders: 'off' as const } : sent
}
