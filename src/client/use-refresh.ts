import { trpc } from './trpc.ts'

/** After a customer or contract has changed: whatever is on screen of them, and the figures over them, is fetched anew. */
export function useRefresh() {
  const utils = trpc.useUtils()
  return async () => {
    await Promise.all([utils.customers.invalidate(), utils.contracts.invalidate(), utils.dashboard.invalidate()])
  }
}
