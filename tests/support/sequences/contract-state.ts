import type { Client } from 'pg'

/** A contract and all that belongs to it, as the database has it, also from the trash. */
export interface ContractState {
  id: number
  row: Record<string, unknown>
  /** Terms that another one followed, the first one first. */
  terms: ClosedTerm[]
  decisions: { id: number; by: string }[]
  messages: Message[]
}

interface ClosedTerm {
  number: number
  start_date: string
  renewal_date: string
  amount_cents: number
  renewal_cycle: string
}

export interface Message {
  id: number
  state: string
  reason: string | null
  term: number
  kind: string
  recipient: string
}

/** A change that the activity of a contract tells of. */
export interface ActivityEntry {
  id: number
  contractId: number
  actor: string
  before: Record<string, unknown>
  /** Null once it is deleted. */
  after: Record<string, unknown> | null
}

export function isInTrash({ row }: ContractState): boolean {
  return row['deleted_at'] !== null
}

export type States = Map<number, ContractState>

export async function statesOf(owner: Client, accountId: number): Promise<States> {
  const list = (what: string) => `coalesce(json_agg(${what} order by o.id), '[]')`
  const { rows } = await owner.query<ContractState>(
    `select k.id, to_jsonb(k) as row,
      (select coalesce(json_agg(to_jsonb(t) order by t.number), '[]') from contract_terms t
        where t.contract_id = k.id and t.account_id = k.account_id) as terms,
      (select ${list(`json_build_object('id', o.id, 'by', o.decided_by)`)} from contract_decisions o
        where o.contract_id = k.id and o.account_id = k.account_id) as decisions,
      (select ${list(`json_build_object('id', o.id, 'state', o.state, 'reason', o.reason, 'term', o.term_number,
        'kind', o.kind, 'recipient', o.recipient)`)} from reminders o
        where o.contract_id = k.id and o.account_id = k.account_id) as messages
    from contracts k where k.account_id = $1 order by k.id`,
    [accountId],
  )
  return new Map(rows.map((state) => [state.id, state]))
}

/** What the activity has told since. */
export async function activityAfter(owner: Client, { accountId, last }: { accountId: number; last: number }) {
  const { rows } = await owner.query<ActivityEntry>(
    `select activity.id::float8 as id, about_id as "contractId", actor, before, after from activity
      where account_id = $1 and about = 'contract' and id > $2 order by activity.id`,
    [accountId, last],
  )
  return rows
}

/** The imports that can be undone, the newest last. */
export async function importsOf(owner: Client, accountId: number): Promise<number[]> {
  const { rows } = await owner.query<{ id: number }>('select id from imports where account_id = $1 order by id', [
    accountId,
  ])
  return rows.map(({ id }) => id)
}

/** The tables of sums that are not what the rows add up to. */
export async function driftOf(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>('select distinct kept_table as name from totals_drift()')
  return rows.map(({ name }) => name)
}
