import { schemaResolver, useForm } from '@mantine/form'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import { trpc } from '#client/api/trpc.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { parseAmount } from './amount.ts'
import type { ContractDialogPage } from './contract-dialog-pages.ts'
import { contractValues, type Contract, type ContractValues } from './contract-fields.tsx'

export type { Contract } from './contract-fields.tsx'

const REQUIRED = ['customerId', 'amount', 'startDate', 'renewalDate'] as const
const wrongFields = schemaResolver(CreateContract, { sync: true })

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

/** Adds a contract, or changes what differs from `before`. Resolves to which one it is, and what to say about it. */
export function useSaveContract(contract: Contract | undefined) {
  const create = trpc.contracts.create.useMutation()
  const update = trpc.contracts.update.useMutation()
  const refresh = useRefresh()
  return async (values: ContractValues, before: ContractValues) => {
    const sent = sentValues(values)
    const { id } = contract
      ? await update.mutateAsync({ id: contract.id, ...changedFields(sentValues(before), sent) })
      : await create.mutateAsync(sent)
    void refresh()
    return { id, said: contract ? 'Contract updated successfully!' : 'Contract added successfully!' }
  }
}

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
