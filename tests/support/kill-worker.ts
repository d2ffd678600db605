import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startApp, WORKER, type AppProcess } from './app-process.ts'
import { startMailServer, type MailServer, type Treatment } from './mail-server.ts'
import { randomFrom, type Random } from './random.ts'

export interface KillOptions {
  connection: pg.PoolConfig
  /** DATABASE_URL of the same database. */
  url: string
  kills: number
  seed: number
  /** Hears of every kill. */
  tell?: (text: string) => void
}

export interface KillReport {
  kills: number
  /** Kills that left at least one message half-sent. */
  killsWhileSending: number
  /** Messages that had to reach the mail server. */
  messages: number
  /** What the mail server took, repeats included. */
  taken: number
  /** Messages that reached it twice. */
  takenTwice: number
  /** Messages that the ledger records as possibly sent twice. */
  possiblyTwice: number
  /** Messages of which the ledger says that nobody knows whether they were sent. */
  unknown: number
  /** Messages that reached it more often than the ledger records as possible. */
  repeatedUnrecorded: number
  /** What must not be: messages lost, or repeated without a record. */
  faults: string[]
}

const ACCOUNTS = 10
const CONTRACTS_A_LIFE = 40
const READY = 'TRAXX plans and sends reminders'

/**
 * Kills the worker again and again while it plans and sends, now and then two of them at once, and lets a last one
 * finish. The mail server takes some milliseconds for each message, and sometimes hangs up on its last byte.
 */
export async function killWorkers({ connection, url, kills, seed, tell }: KillOptions): Promise<KillReport> {
  const random = randomFrom(seed)
  await using stack = new AsyncDisposableStack()
  const owner = new pg.Client(connection)
  await owner.connect()
  stack.defer(() => owner.end())
  const mail = await startMailServer({ milliseconds: () => random.int(5, 80), treat: () => treatment(random) })
  stack.defer(() => mail.stop())
  const start = () => startWorker(url, mail)
  await addAccounts(owner)
  const bystanders = await connections(owner)
  let killsWhileSending = 0
  let kill = 0
  // Until one of them has hit a worker while it was sending: on a slow machine that may take a few more.
  for (; kill < kills || (killsWhileSending === 0 && kill < 5 * kills); kill += 1) {
    await addContracts(owner, kill)
    const workers = random.chance(0.2) ? [start(), start()] : [start()]
    await randomMoment(workers, mail, random)
    for (const { child } of workers) child.kill('SIGKILL')
    await Promise.all(workers.map(({ ended }) => ended))
    const halfSent = await passLeases(owner, bystanders)
    killsWhileSending += Number(halfSent > 0)
    tell?.(`kill ${kill + 1}: ${halfSent} half-sent, ${mail.taken.length} taken so far`)
  }
  await finish(owner, start)
  return { kills: kill, killsWhileSending, ...(await audit(owner, mail)) }
}

function treatment(random: Random): Treatment {
  const share = random.share()
  if (share < 0.01) return 'take and hang up'
  if (share < 0.02) return 'drop and hang up'
  return share < 0.03 ? 'refuse for now' : 'take'
}

function startWorker(url: string, mail: MailServer): AppProcess {
  const variables = { NODE_ENV: 'test', DATABASE_URL: url, DATA_DIR: '.data/test-kill', LOG_LEVEL: 'fatal' }
  return startApp({ ...variables, SMTP_URL: mail.url }, WORKER)
}

/** Most often while it sends, else while it plans or starts. */
async function randomMoment(workers: AppProcess[], mail: MailServer, random: Random): Promise<void> {
  if (random.chance(0.1)) return pause(random.int(0, 800))
  await Promise.all(workers.map((worker) => worker.says(READY)))
  if (random.chance(0.7)) await mail.nextMessage(15_000)
  await pause(random.int(0, 300))
}

/** Accounts that send reminders. */
export async function addAccounts(owner: pg.Client): Promise<void> {
  await owner.query(`
    with added as (
      insert into accounts (clerk_user_id, email, time_zone)
      select 'killed_' || n, 'owner' || n || '@killed.test', 'UTC' from generate_series(1, ${ACCOUNTS}) n returning id),
    subscribed as (
      insert into subscriptions (account_id, stripe_subscription_id, status, synced_at)
      select id, 'sub_killed_' || id, 'active', now() from added),
    named as (insert into companies (account_id, name) select id, 'Killed Ltd' from added)
    insert into reminder_preferences select id, true, '{30,14,7,1}', '{1,3,7}', true, true, 0 from added`)
}

/** Contracts of which a reminder falls due today, each with a customer of its own. */
export async function addContracts(owner: pg.Client, life: number): Promise<void> {
  await owner.query(
    `with added as (
      insert into customers (account_id, name, email)
      select a.id, 'Customer', 'c' || $1::int || '.' || n || '@killed.test'
      from generate_series(1, ${CONTRACTS_A_LIFE}) n
        join (select id, row_number() over (order by id) - 1 as place from accounts where clerk_user_id ~ '^killed_') a
          on n % ${ACCOUNTS} = a.place
      returning account_id, id)
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status,
      reminders_since)
    select account_id, id, 100, current_date - 30, 'monthly', current_date + 14, 'active', now() - interval '1 day'
    from added`,
    [life],
  )
  await owner.query(`
    insert into reminder_schedules (account_id, planned_through, next_plan_at)
    select id, current_date - 1, now() from accounts
    on conflict (account_id) do update set next_plan_at = excluded.next_plan_at`)
}

/**
 * Minutes later: what the killed worker was at is nobody's any more. Returns how many messages it left half-sent. Its
 * connections end a moment after it, and may still commit what they were told.
 */
async function passLeases(owner: pg.Client, bystanders: number[]): Promise<number> {
  while ((await connections(owner)).some((pid) => !bystanders.includes(pid))) await pause(5)
  const { rowCount } = await owner.query(
    `update reminders set next_attempt_at = now() where state = 'sending' and next_attempt_at > now()`,
  )
  await owner.query(`update reminders set next_attempt_at = now() where state = 'planned'`)
  return rowCount ?? 0
}

/** The processes that serve the connections of this database. */
export async function connections(owner: pg.Client): Promise<number[]> {
  const { rows } = await owner.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and usename is not null',
  )
  return rows.map(({ pid }) => pid)
}

/** Lets workers work and stop in order until nothing is left. The next one retries at once what the one before left. */
async function finish(owner: pg.Client, start: () => AppProcess): Promise<void> {
  for (let left = await unfinished(owner); left > 0; left = await unfinished(owner)) {
    const worker = start()
    await worker.says(READY)
    for (let before = Infinity; left < before; left = await unfinished(owner)) {
      before = left
      await pause(500)
    }
    worker.child.kill('SIGTERM')
    if ((await worker.ended) !== 0) throw new Error(`A worker did not stop in order:\n${worker.output()}`)
    await owner.query(`update reminders set next_attempt_at = now() where state in ('planned', 'sending')`)
  }
}

/** Messages and accounts that are left to work on. */
export async function unfinished(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(`
    select (select count(*) from reminders where state in ('planned', 'sending'))::int
      + (select count(*) from reminder_schedules where next_plan_at <= now())::int as count`)
  return rows[0]?.count ?? 0
}

interface AuditRow {
  contractId: number
  email: string
  recipient: string | null
  state: string
  reason: string | null
  repeats: number
  messageId: string
}

/** Every contract must have its messages, each of which the server took as often as the ledger says it could have. */
export async function audit(owner: pg.Client, { taken }: MailServer) {
  const times = new Map<string, number>()
  for (const { messageId } of taken) times.set(messageId, (times.get(messageId) ?? 0) + 1)
  const { rows } = await owner.query<AuditRow>(`
    select k.id as "contractId", c.email, line.recipient, r.state, r.reason, r.repeats, r.message_id as "messageId"
    from contracts k join customers c on c.id = k.customer_id cross join (values ('customer'), ('owner')) line(recipient)
    left join reminders r on r.contract_id = k.id and r.recipient = line.recipient and r.channel = 'email'
    order by k.id`)
  const faults = rows.flatMap((row) => faultsOf(row, times.get(row.messageId) ?? 0))
  const known = new Set(rows.map(({ messageId }) => messageId))
  faults.push(...taken.filter(({ messageId }) => !known.has(messageId)).map(({ to }) => `${to}: not in the ledger`))
  return {
    messages: rows.length,
    taken: taken.length,
    takenTwice: [...times.values()].filter((count) => count > 1).length,
    possiblyTwice: rows.filter(({ repeats }) => repeats > 0).length,
    unknown: rows.filter(({ reason }) => reason === 'unknown').length,
    repeatedUnrecorded: rows.filter((row) => !isWithinRecord(row, times.get(row.messageId) ?? 0)).length,
    faults,
  }
}

function faultsOf({ contractId, recipient, state, reason, repeats }: AuditRow, times: number): string[] {
  const message = `contract ${contractId}, to the ${recipient}: ${state} ${reason ?? ''}, repeats ${repeats}, taken ${times} times`
  const isLost = state === 'sent' ? times === 0 : !(state === 'failed' && reason === 'unknown')
  return isWithinRecord({ repeats }, times) && !isLost ? [] : [message]
}

function isWithinRecord({ repeats }: Pick<AuditRow, 'repeats'>, times: number): boolean {
  return times <= (repeats > 0 ? 2 : 1)
}
