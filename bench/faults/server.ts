import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { openReminders } from '#bench/rehearse/reminders.ts'
import { until } from '#bench/rehearse/processes.ts'
import type { Fault } from './fault.ts'
import type { Stage } from './stage.ts'

const FULL_MS = 20_000
const HEAP_SHARE = 0.8
/** Longer than until accounts are planned again. */
const MOVED_MS = 70_000
const AHEAD_HOURS = 25
const CONTRACTS = 2000
const ROWS = 300
const IMPORTERS = 3

export const OF_THE_SERVER: Record<string, Fault> = {
  // First, as it looks whether all contracts that there are have their messages.
  'clock-ahead-and-back': moveClock,
  'server-stopped': stopServer,
  'server-stopped-at-work': stopAtWork,
  'heap-nearly-full': fillHeap,
}

async function stopServer(stage: Stage) {
  await stage.restart()
  return {}
}

/** SIGTERM while a bulk change of many contracts runs, and files are being imported. */
async function stopAtWork(stage: Stage) {
  const { inDatabase, owner, call } = stage
  await stage.restart({ JOBS: 'on' })
  await inDatabase((client) =>
    client.query(
      `with customer as (insert into customers (account_id, name) values ($1, 'Bulk') returning id)
      insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
      select $1, customer.id, 100, current_date - 300, 'yearly', current_date + 20, 'active'
      from customer, generate_series(1, ${CONTRACTS})`,
      [owner.id],
    ),
  )
  const renewed = (years: number) =>
    inDatabase(async (client) => {
      const { rowCount } = await client.query(
        `select from contracts k join customers c on c.id = k.customer_id
        where c.account_id = $1 and c.name = 'Bulk' and renewal_date = (current_date + 20 + make_interval(years => $2))::date`,
        [owner.id, years],
      )
      return rowCount ?? 0
    })
  const stopping = new AbortController()
  const importing = Promise.all(Array.from({ length: IMPORTERS }, (_, n) => importFiles(stage, n, stopping.signal)))
  const ids = { filter: { search: 'Bulk' } }
  const said = [await call('/bulk', { json: { action: 'renew', contracts: ids, confirm: false } })]
  await until('contracts are being renewed', async () => (await renewed(1)) > 0)
  const before = await renewed(1)
  await stage.restart({ JOBS: 'on' })
  await until('all contracts are renewed', async () => (await renewed(1)) + (await renewed(2)) === CONTRACTS, 300)
  stopping.abort()
  const imports = (await importing).flat()
  const found = await inDatabase(async (client) => {
    const { rows } = await client.query<{ phone: string; count: number }>(
      `select phone, count(*)::int as count from customers where account_id = $1 and name = 'Imported' group by phone`,
      [owner.id],
    )
    return new Map(rows.map(({ phone, count }) => [phone, count]))
  })
  const ofImports = imports.map((name) => found.get(name) ?? 0)
  const extra = [...found.values()].filter((count) => count > ROWS).length
  said.push(
    `${before} of ${CONTRACTS} contracts were renewed when it stopped, all afterward`,
    `${imports.length} imports of ${ROWS} rows were acknowledged`,
  )
  return {
    lost: ofImports.filter((count) => count < ROWS).length,
    doubled: (await renewed(2)) + extra,
    said,
  }
}

const Imported = z.object({ created: z.literal(ROWS) })

/** Imports one file after the other, again with the same key until it is acknowledged or refused. The names of the former. */
async function importFiles({ url, owner }: Stage, importer: number, stopping: AbortSignal): Promise<string[]> {
  const acknowledged: string[] = []
  for (let file = 0; !stopping.aborted; file += 1) {
    const name = `file-${importer}-${file}`
    const rows = Array.from({ length: ROWS }, (_, n) => `Imported,${name},${importer}-${file}-${n}@example.com`)
    for (let isDone = false; !isDone && !stopping.aborted;) {
      const body = new FormData()
      body.append('file', new Blob([['name,phone,email', ...rows].join('\n')], { type: 'text/csv' }), 'rows.csv')
      const headers = { authorization: `Bearer ${owner.key}`, 'idempotency-key': name }
      const answer = await fetch(`${url}/customers/bulk-upload`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      const isCreated = answer?.ok && Imported.safeParse(await answer.json()).success
      if (isCreated) acknowledged.push(name)
      isDone = isCreated === true || answer?.status === 409
      if (!isDone) await pause(250)
    }
  }
  return acknowledged
}

/** What is kept leaves a fifth of the heap that `npm start` allows. */
async function fillHeap(stage: Stage) {
  const options = `--import ${join(import.meta.dirname, '../ballast-on-signal.ts')}`
  await stage.restart({ NODE_OPTIONS: options, HEAP_SHARE: String(HEAP_SHARE) })
  await stage.server().signal('SIGUSR2', 'The heap is full')
  const before = stage.load.acknowledged()
  await pause(FULL_MS)
  const rate = (stage.load.acknowledged() - before) / (FULL_MS / 1000)
  const megabytes = Math.round(stage.server().memory())
  const said = [`${megabytes} MB resident, ${rate.toFixed(1)} writes a second`, await stage.call('/customers', {})]
  await stage.restart()
  return { said: said.map((line) => line.slice(0, 200)) }
}

/** The server's clock alone: the database's is right. Reminders are due, are being sent, and become due by the wrong clock. */
async function moveClock(stage: Stage) {
  const { inDatabase, restart, call, sessionOf } = stage
  const reminders = await openReminders()
  try {
    await inDatabase(reminders.addAccounts)
    await restart({
      JOBS: 'on',
      SMTP_URL: reminders.url,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, '../date-on-signal.ts')}`,
      CLOCK_HOURS: [AHEAD_HOURS, -AHEAD_HOURS, 0].join(','),
    })
    await reminders.send(inDatabase)
    const said: string[] = []
    for (const hours of [AHEAD_HOURS, -AHEAD_HOURS, 0]) {
      await stage.server().signal('SIGUSR2', `The clock differs by ${hours} hours`)
      said.push(`${hours} hours: ${(await call('/contracts?limit=1', {}, sessionOf('user_1'))).slice(0, 120)}`)
      await pause(MOVED_MS)
    }
    await inDatabase(reminders.passMinutes)
    const faults = await reminders.finish(inDatabase)
    said.push(`${reminders.taken()} emails`, ...faults.slice(0, 5))
    return { doubled: await inDatabase(reminders.doubled), lost: faults.length, said }
  } finally {
    await restart()
    await reminders.stop()
  }
}
