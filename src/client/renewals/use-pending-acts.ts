import { useMutationState, useQueryClient } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { trpc } from '#client/api/trpc.ts'

const KEYS = {
  renew: getMutationKey(trpc.contracts.renew),
  end: getMutationKey(trpc.contracts.end),
  reopen: getMutationKey(trpc.contracts.reopen),
  undo: getMutationKey(trpc.contracts.undo),
}

export type ContractAct = keyof typeof KEYS

/** What is being done with a contract, wherever it was pressed; until what it changes has been read again. */
export function usePendingActs(): (act: ContractAct, contractId: number) => boolean {
  const pending = {
    renew: usePending('renew'),
    end: usePending('end'),
    reopen: usePending('reopen'),
    undo: usePending('undo'),
  }
  return (act, contractId) => pending[act].includes(contractId)
}

/** Whether anything is being done with a contract, so that a button about it can say that it waits. */
export function useAnyPendingAct(): (contractId: number) => boolean {
  const isPending = usePendingActs()
  return (contractId) => (['renew', 'end', 'reopen', 'undo'] as const).some((act) => isPending(act, contractId))
}

function usePending(act: ContractAct): unknown[] {
  return useMutationState({
    filters: { mutationKey: KEYS[act], status: 'pending' },
    select: ({ state }) => contractIdOf(state.variables),
  })
}

/** Whether anything is being done with a contract, also if the screen does not show it yet: for a second press. */
export function useIsActing(): (contractId: number) => boolean {
  const client = useQueryClient()
  return (contractId) =>
    Object.values(KEYS).some((mutationKey) => {
      const predicate = ({ state }: { state: { variables: unknown } }) => contractIdOf(state.variables) === contractId
      return client.isMutating({ mutationKey, predicate }) > 0
    })
}

function contractIdOf(variables: unknown): unknown {
  return typeof variables === 'object' && variables !== null && 'id' in variables ? variables.id : undefined
}
