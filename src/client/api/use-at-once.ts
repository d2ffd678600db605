import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { failureText, type FailureTexts } from './failure-text.ts'
import { trpc } from './trpc.ts'
import { useRefresh } from './use-refresh.ts'

type Feature = 'contacts' | 'contracts' | 'customers' | 'notes' | 'notifications'

interface Change {
  client: QueryClient
  /** What is fetched again after it. */
  refreshed: string
  show: () => void
}

interface How {
  /** In which answers it shows, if not in all of the feature. */
  queryKey?: QueryKey
  /** What a toast says of a failure; without it, the caller says so. */
  failure?: FailureTexts
  /** The mutation is pending until everything has been fetched again, not until the answer. */
  staysPending?: boolean
}

interface Shown {
  change: Change
  before: ReturnType<QueryClient['getQueriesData']>
}

/** What is shown and not answered yet, in the order in which it was done. */
const unanswered = new Set<Change>()

/**
 * Options of a mutation whose change shows in what is cached of a feature before the server has answered. A refusal
 * restores what was there. Only the last answer has everything fetched again: before that, the rows of other changes would
 * show their old values for a moment.
 */
export function useAtOnce<Answer, Variables>(
  feature: Feature,
  changeOf: (variables: Variables) => (answer: Answer) => Answer,
  { failure, staysPending = false, queryKey = [[feature]] }: How = {},
) {
  const client = useQueryClient()
  const { notes, notifications } = trpc.useUtils()
  const refreshRecords = useRefresh()
  const others = { notes, notifications }
  const filters = { queryKey }
  const refreshed = feature in others ? feature : 'records'
  const isTogether = (one: Change) => one.client === client && one.refreshed === refreshed
  return {
    onMutate: async (variables: Variables): Promise<Shown> => {
      const changed = changeOf(variables)
      const show = () => void client.setQueriesData<Answer>(filters, (answer) => answer && changed(answer))
      const change = { client, refreshed, show }
      unanswered.add(change)
      await client.cancelQueries(filters)
      const before = client.getQueriesData(filters)
      show()
      return { change, before }
    },
    onError: (error: unknown, _variables: Variables, shown: Shown | undefined) => {
      for (const [key, answer] of shown?.before ?? []) client.setQueryData(key, answer)
      for (const one of unanswered) if (one !== shown?.change && isTogether(one)) one.show()
      if (failure) toastFailure(failureText(error, failure))
    },
    onSettled: (...[, , , shown]: [unknown, unknown, Variables, Shown | undefined]) => {
      if (shown) unanswered.delete(shown.change)
      if ([...unanswered].some(isTogether)) return undefined
      const fetched =
        feature === 'notes' || feature === 'notifications' ? others[feature].invalidate() : refreshRecords()
      return staysPending ? fetched : undefined
    },
  }
}

/** What a feature answers that has rows of one kind: one of them, all, or a page. */
export type WithRows<Row> = Row | Row[] | { rows: Row[]; total: number }

/** Changes the row with an ID, or all of them, wherever an answer has it. What becomes null is gone. */
export function inRows<Row extends { id: number }>(change: (row: Row) => Row | null, id?: number) {
  const changed = (rows: Row[]) =>
    rows.flatMap((row) => (id === undefined || row.id === id ? (change(row) ?? []) : row))
  return (answer: WithRows<Row>): WithRows<Row> => {
    if (Array.isArray(answer)) return changed(answer)
    if ('id' in answer) return changed([answer])[0] ?? answer
    if (!('rows' in answer)) return answer
    const rows = changed(answer.rows)
    return { ...answer, rows, total: answer.total - answer.rows.length + rows.length }
  }
}

/** A row with fields as they were entered; what is left empty is none. */
export function entered<Row extends object>(row: Row, fields: object): Row {
  const values = Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value])
  return Object.assign({}, row, Object.fromEntries(values))
}
