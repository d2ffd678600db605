import { trpc } from './trpc.ts'

/** After a customer or contract has changed: whatever is on screen of them, and the figures over them, is fetched anew. */
export function useRefresh() {
  const utils = trpc.useUtils()
  return async () => {
    const { customers, contracts, dashboard, reminders } = utils
    await Promise.all([customers, contracts, dashboard, reminders].map((feature) => feature.invalidate()))
  }
}
