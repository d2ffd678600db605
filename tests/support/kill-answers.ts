import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { addAnswerLinks, type SentLink } from './answer-links.ts'
import { freePort, startApp, type AppProcess } from './app-process.ts'
import { auditAnswers } from './audit-answers.ts'
import { connections } from './kill-worker.ts'

export interface KilledAnswers {
  connection: pg.PoolConfig
  /** DATABASE_URL of the same database. */
  url: string
}

/** Of every second one answers take effect at once, of the others they wait. */
const ACCOUNTS = 4
const CONTRACTS_OF_EACH = 12
/** How many customers answer at the same time. */
const AT_ONCE = 12
/** How many answers have been acknowledged when the server is killed. */
const KILLED_AFTER = 15

/**
 * Kills the server while many customers answer, starts it again, and lets those answer who see that nothing was taken.
 * Returns what then must not be.
 */
export async function killAnswers({ connection, url }: KilledAnswers): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const owner = new pg.Client(connection)
  await owner.connect()
  stack.defer(() => owner.end())
  await addContracts(owner)
  const links = await addAnswerLinks(owner)
  const bystanders = await connections(owner)

  const killed = await startServer(url)
  const first = await answerAll(killed, await openForms(killed, links), KILLED_AFTER)
  await killed.app.ended
  // Its connections end a moment after it, and may still commit what they were told.
  while ((await connections(owner)).some((pid) => !bystanders.includes(pid))) await pause(5)
  const faults = await auditAnswers(owner, first.acknowledged)
  if (first.cut === 0) faults.push('no answer was under way when the server was killed')

  const next = await startServer(url)
  const second = await answerAll(next, await openForms(next, links))
  next.app.child.kill('SIGTERM')
  await next.app.ended
  const all = links.map(({ contractId }) => contractId)
  faults.push(...(await auditAnswers(owner, all)))
  if (second.cut > 0) faults.push(`${second.cut} answers got no response`)
  return [...faults, ...first.refused, ...second.refused]
}

interface Server {
  app: AppProcess
  origin: string
}

async function startServer(url: string): Promise<Server> {
  const port = String(await freePort())
  const many = Object.fromEntries(['LIMIT_ADDRESS', 'LIMIT_CUSTOMER_ANSWERS'].map((name) => [name, '1000000']))
  const variables = {
    NODE_ENV: 'test',
    DATABASE_URL: url,
    DATA_DIR: '.data/test-kill',
    LOG_LEVEL: 'fatal',
    JOBS: 'off',
  }
  const app = startApp({ ...variables, ...many, PORT: port })
  await app.says('TRAXX is ready at')
  return { app, origin: `http://localhost:${port}` }
}

interface Form extends SentLink {
  page: string
}

/** The forms of all customers who see no answer of theirs. */
async function openForms({ origin }: Server, links: SentLink[]): Promise<Form[]> {
  const forms: Form[] = []
  for (const link of links) {
    const overview = await textAt(`${origin}/answer/${link.token}`)
    if (overview.includes('Change your answer')) continue
    const page = /name="page" value="([^"]+)"/.exec(await textAt(`${origin}/answer/${link.token}/renew`))?.[1]
    if (page === undefined) throw new Error(`There is no form for contract ${link.contractId}`)
    forms.push({ ...link, page })
  }
  return forms
}

async function textAt(url: string): Promise<string> {
  return (await fetch(url)).text()
}

interface Answered {
  /** The contracts whose customers were told that their answer was taken. */
  acknowledged: number[]
  /** How many answers got no response. */
  cut: number
  refused: string[]
}

/** Sends all forms, and kills the server once so many answers have been acknowledged. */
async function answerAll({ app, origin }: Server, forms: Form[], killedAfter = Infinity): Promise<Answered> {
  const waiting = [...forms]
  const acknowledged: number[] = []
  const refused: string[] = []
  const customer = async () => {
    for (let form = waiting.shift(); form; form = waiting.shift()) {
      const { contractId, token, page } = form
      const body = new URLSearchParams({ choice: 'renew', page })
      const { status } = await fetch(`${origin}/answer/${token}`, { method: 'POST', body, redirect: 'manual' })
      if (status === 303) acknowledged.push(contractId)
      else refused.push(`the answer about contract ${contractId} was refused with ${status}`)
      if (acknowledged.length === killedAfter) app.child.kill('SIGKILL')
    }
  }
  const customers = await Promise.allSettled(Array.from({ length: AT_ONCE }, customer))
  return { acknowledged, refused, cut: customers.filter(({ status }) => status === 'rejected').length }
}

async function addContracts(owner: pg.Client): Promise<void> {
  await owner.query(`select set_config('app.actor', 'operator', false)`)
  await owner.query(`
    with added as (
      insert into accounts (clerk_user_id, email, time_zone)
      select 'answered_' || n, 'owner' || n || '@killed.test', 'UTC' from generate_series(1, ${ACCOUNTS}) n returning id),
    subscribed as (
      insert into subscriptions (account_id, stripe_subscription_id, status, synced_at)
      select id, 'sub_answered_' || id, 'active', now() from added),
    named as (insert into companies (account_id, name) select id, 'Company' from added),
    answering as (
      insert into answer_settings (account_id, renewal)
      select id, case when id % 2 = 0 then 'at_once' else 'waits' end from added),
    customers as (
      insert into customers (account_id, name, email)
      select id, 'Customer', 'customer' || id || '@killed.test' from added returning account_id, id)
    insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status)
    select account_id, id, 100, current_date - 358, 'yearly', current_date + 7, 'active'
    from customers, generate_series(1, ${CONTRACTS_OF_EACH})`)
}
