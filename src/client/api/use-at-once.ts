import { hashKey, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { failureText, type FailureTexts } from './failure-text.ts'
import { trpc } from './trpc.ts'
import { useRefresh } from './use-refresh.ts'

type Feature = 'contacts' | 'contracts' | 'customers' | 'notes' | 'notifications'

interface Change {
  /** What it makes of an answer. */
  apply: (answer: unknown) => unknown
  /** The cached answers that show it, by the hash of their keys. */
  shownIn: Set<string>
  isOpen: boolean
}

/** Changes that have things fetched again together: once none of them waits for its answer any more. */
interface Together {
  /** In the order in which they were done, but for those that were refused. */
  changes: Change[]
  /** What was cached before the first of them. */
  before: Map<string, { key: QueryKey; answer: unknown }>
  fetched: PromiseWithResolvers<void>
}

interface How {
  /** In which answers it shows, if not in all of the feature. */
  queryKey?: QueryKey
  /** What a toast says of a failure; without it, the caller says so. */
  failure?: FailureTexts
  /** The mutation is pending until everything has been fetched again, not until the answer. */
  staysPending?: boolean
}

const underWay = new WeakMap<QueryClient, Map<string, Together>>()

function togetherOf(client: QueryClient, refreshed: string): Together {
  const all = underWay.get(client) ?? new Map<string, Together>()
  underWay.set(client, all)
  const together = all.get(refreshed) ?? { changes: [], before: new Map(), fetched: Promise.withResolvers() }
  all.set(refreshed, together)
  return together
}

/**
 * Options of a mutation whose change shows in what is cached of a feature before the server has answered. If it is refused,
 * what was there before is shown again, with the other changes that are under way or done. Only the last answer has
 * everything fetched again: before that, the rows of other changes would show their old values for a moment.
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
  const refreshed = feature in others ? feature : 'records'
  return {
    onMutate: async (variables: Variables): Promise<Change> => {
      const { changes, before } = togetherOf(client, refreshed)
      const change: Change = { apply: guessed(changeOf, variables), shownIn: new Set(), isOpen: true }
      changes.push(change)
      await client.cancelQueries({ queryKey })
      for (const [key, answer] of client.getQueriesData({ queryKey })) {
        if (answer === undefined) continue
        const hash = hashKey(key)
        if (!before.has(hash)) before.set(hash, { key, answer })
        change.shownIn.add(hash)
        client.setQueryData(key, change.apply(answer))
      }
      return change
    },
    onError: (error: unknown, _variables: Variables, refused: Change | undefined) => {
      const together = togetherOf(client, refreshed)
      together.changes = together.changes.filter((change) => change !== refused)
      for (const hash of refused?.shownIn ?? []) {
        const shown = together.before.get(hash)
        if (shown) client.setQueryData(shown.key, answerWith(together.changes, hash, shown.answer))
      }
      if (failure) toastFailure(failureText(error, failure))
    },
    onSettled: (...[, , , settled]: [unknown, unknown, Variables, Change | undefined]) => {
      const { changes, fetched } = togetherOf(client, refreshed)
      if (settled) settled.isOpen = false
      if (changes.some(({ isOpen }) => isOpen)) return staysPending ? fetched.promise : undefined
      underWay.get(client)?.delete(refreshed)
      const refetching =
        feature === 'notes' || feature === 'notifications' ? others[feature].invalidate() : refreshRecords()
      fetched.resolve(refetching)
      return staysPending ? refetching : undefined
    },
  }
}

/** Where a change cannot be foreseen, such as of an input that the server is about to refuse, nothing shows before its answer. */
function guessed<Answer, Variables>(
  changeOf: (variables: Variables) => (answer: Answer) => Answer,
  variables: Variables,
): Change['apply'] {
  const attempt = <Value>(make: () => Value, otherwise: Value): Value => {
    try {
      return make()
    } catch {
      return otherwise
    }
  }
  const changed = attempt(
    () => changeOf(variables),
    (answer: Answer) => answer,
  )
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the cache does not know the types of its answers
  return (answer) => attempt<unknown>(() => changed(answer as Answer), answer)
}

function answerWith(changes: Change[], hash: string, answer: unknown): unknown {
  return changes.reduce((shown, { apply, shownIn }) => (shownIn.has(hash) ? apply(shown) : shown), answer)
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
