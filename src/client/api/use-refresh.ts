import { trpc } from './trpc.ts'

/** Refetches customers, contracts, their tags, notices and figures after one of them has changed. */
export function useRefresh() {
  const utils = trpc.useUtils()
  return async () => {
    const { activity, answers, calendar, contacts, customers, contracts, dashboard, reminders, tags, trash } = utils
    const changed = [activity, answers, calendar, contacts, customers, contracts, dashboard, reminders, tags, trash]
    await Promise.all([...changed, utils.noticeRules, utils.notices].map((feature) => feature.invalidate()))
  }
}

/** Refetches everything that shows imported rows, after an import or an undo. */
export function useImportsRefresh() {
  const refresh = useRefresh()
  const utils = trpc.useUtils()
  return () => Promise.all([refresh(), utils.imports.invalidate()])
}
