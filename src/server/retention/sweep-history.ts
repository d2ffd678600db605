import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext } from '#server/context.ts'
import { KEY_HOURS } from '#server/idempotency/once.ts'
import { readRows } from '#server/db/rows.ts'
import type { Storage } from '#server/limits/quotas.ts'

type Sweeping = Pick<JobContext, 'db' | 'services' | 'signal' | 'log'>

const ACCOUNTS_AT_ONCE = 100
const ROWS_AT_ONCE = 2000

const AccountRow = z.object({ id: z.int() })
const RemovedRow = z.object({ removed: z.int() })

/** Removes what is only history, and what is beyond an account's quotas, a batch of rows at a time. */
export async function sweepHistory(ctx: Sweeping): Promise<void> {
  const { jobRuns } = ctx.services.storage.keptDays
  await ctx.db.system.query('delete from rate_limits where expire < $1', [Date.now()])
  // The last backup is told however old it is.
  await ctx.db.system.query(
    `delete from job_runs where name <> 'backup' and began_at < now() - make_interval(days => $1)`,
    [jobRuns],
  )
  let after = 0
  for (;;) {
    const accounts = await nextAccounts(ctx, after)
    const last = accounts.at(-1)
    if (last === undefined || ctx.signal.aborted) return
    await sweepAll(ctx, accounts)
    after = last
  }
}

async function nextAccounts({ db }: Sweeping, after: number): Promise<number[]> {
  const statement = sql`select id from accounts where id > ${after} order by id limit ${ACCOUNTS_AT_ONCE}`
  const rows = await readRows(db.system, statement, AccountRow)
  return rows.map(({ id }) => id)
}

/** All together, which is quicker; if that fails, one account at a time, so that one cannot block the others. */
async function sweepAll(ctx: Sweeping, accounts: readonly number[]): Promise<void> {
  try {
    await sweepAccounts(ctx, accounts)
  } catch (error) {
    if (accounts.length > 1) {
      for (const account of accounts) await sweepAll(ctx, [account])
    } else ctx.log.error({ err: error, account: accounts[0] }, 'the history of an account could not be swept')
  }
}

/** Each round is one transaction that deletes at most a batch of each kind per account. */
async function sweepAccounts({ db, services, signal }: Sweeping, accounts: readonly number[]): Promise<void> {
  let left = accounts
  while (left.length > 0 && !signal.aborted) {
    const asked = left.flatMap((accountId) =>
      statements(accountId, services.storage).map((statement) => ({ accountId, statement })),
    )
    const found = await db.writeTogether((write) => write(asked, RemovedRow))
    const full = new Set<number>()
    for (const [index, rows] of found.entries()) {
      const accountId = asked[index]?.accountId
      if (accountId !== undefined && (rows[0]?.removed ?? 0) >= ROWS_AT_ONCE) full.add(accountId)
    }
    left = [...full]
  }
}

/** Each answers how many rows it has removed. */
function statements(accountId: number, storage: Storage): Sql[] {
  return [
    notifications(accountId, storage),
    failedRows(accountId, storage),
    updates(accountId, storage),
    imports(accountId, storage),
    idempotencyKeys(accountId),
  ]
}

function notifications(accountId: number, { keptDays }: Storage): Sql {
  return sql`
    with gone as (
      delete from notifications where account_id = ${accountId} and id = any(array(
        select id from notifications where account_id = ${accountId}
          and (read_at < now() - make_interval(days => ${keptDays.readNotifications})
            or read_at is null and created_at < now() - make_interval(days => ${keptDays.unreadNotifications})
            or cleared_at < now() - make_interval(days => ${keptDays.clearedNotifications})) limit ${ROWS_AT_ONCE}))
      returning 1)
    select count(*)::int as removed from gone`
}

/** They stand for their calls no longer. */
function idempotencyKeys(accountId: number): Sql {
  return sql`
    with gone as (
      delete from idempotency_keys where account_id = ${accountId} and key = any(array(
        select key from idempotency_keys where account_id = ${accountId}
          and created_at < now() - make_interval(hours => ${KEY_HOURS}) limit ${ROWS_AT_ONCE}))
      returning 1)
    select count(*)::int as removed from gone`
}

/** Of imports that are too old, or older than those that fill the quota. */
function failedRows(accountId: number, { quotas, keptDays }: Storage): Sql {
  return sql`
    with ranked as (
      select id, finished_at, updated_at, sum(coalesce(failed_kept, failed)) over (order by id desc) as through
      from imports where account_id = ${accountId} and coalesce(failed_kept, failed) > 0),
    old as (
      select id from ranked where updated_at < now() - make_interval(days => ${keptDays.failedRows})
        or through > ${quotas.failedRows} and updated_at < now() - interval '1 hour'),
    rows as (
      select f.import_id, f.line from import_failures f join old on old.id = f.import_id
      where f.account_id = ${accountId} order by f.import_id, f.line desc limit ${ROWS_AT_ONCE}),
    gone as (
      delete from import_failures f using rows
      where f.account_id = ${accountId} and f.import_id = rows.import_id and f.line = rows.line
      returning f.import_id),
    counted as (
      update imports i set failed_kept = greatest(0, coalesce(i.failed_kept, i.failed) - lost.rows)
      from (select old.id, count(gone.import_id)::int as rows from old left join gone on gone.import_id = old.id
        group by old.id) lost
      where i.account_id = ${accountId} and i.id = lost.id)
    select count(*)::int as removed from gone`
}

/** What imports have changed, as it was: they can then no longer be undone whole. */
function updates(accountId: number, { keptDays }: Storage): Sql {
  return sql`
    with old as (
      select id from imports where account_id = ${accountId} and updated_kept > 0
        and updated_at < now() - make_interval(days => ${keptDays.failedRows})),
    rows as (
      select u.import_id, u.contract_id from import_updates u join old on old.id = u.import_id
      where u.account_id = ${accountId} order by u.import_id, u.contract_id limit ${ROWS_AT_ONCE}),
    gone as (
      delete from import_updates u using rows
      where u.account_id = ${accountId} and u.import_id = rows.import_id and u.contract_id = rows.contract_id
      returning u.import_id),
    counted as (
      update imports i set updated_kept = greatest(0, i.updated_kept - lost.rows)
      from (select old.id, count(gone.import_id)::int as rows from old left join gone on gone.import_id = old.id
        group by old.id) lost
      where i.account_id = ${accountId} and i.id = lost.id)
    select count(*)::int as removed from gone`
}

/** One at a time: the rows that it has brought forget it. */
function imports(accountId: number, { quotas }: Storage): Sql {
  return sql`
    with gone as (
      delete from imports where account_id = ${accountId} and id = (
        select id from imports where account_id = ${accountId} and updated_at < now() - interval '1 hour'
          and id < (select id from imports where account_id = ${accountId} order by id desc
            offset ${quotas.imports - 1} limit 1)
        order by id limit 1)
      returning 1)
    select count(*)::int * ${ROWS_AT_ONCE}::int as removed from gone`
}
