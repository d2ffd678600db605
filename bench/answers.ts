import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { addAnswerLinks, guessedTokens, type SentLink } from '#support/answer-links.ts'
import { auditAnswers } from '#support/audit-answers.ts'
import { addAccounts, addKey, fillAccounts } from './data.ts'
import { openHttpClient, requestOf, type HttpAnswer } from './http-client.ts'
import { interleave, median, quantile, refuseFailure } from './measure.ts'
import { openOwnDatabase } from './own-database.ts'
import { printFigure, printRatio, printTimes } from './report.ts'
import { startOurs } from './servers.ts'
import { timed } from './timed.ts'

/**
 * `npm run bench -- answers [--quick]`: the page on which a customer answers, beside the list of contracts of the same
 * server, and its weight; 200 answers a second about contracts of 200 accounts, of which every second one has them take
 * effect at once, beside renewals by REST; and 100,000 guessed links.
 */
const QUICK = process.argv.includes('--quick')
const ACCOUNTS = 200
const SIZE = { customers: 40, contracts: 200 }
const TIMES = QUICK ? 150 : 500
const PER_SECOND = 200
const SECONDS = QUICK ? 5 : 20
const RENEWALS = QUICK ? 500 : 2000
const GUESSES = QUICK ? 10_000 : 100_000
const CONNECTIONS = 32

const LIST = '/contracts?limit=10&sort=openFirst'
const PAGES = ['', '/renew', '/change', '/end']
const MOST_BYTES = 40_000

await using stack = new AsyncDisposableStack()
const { connection, logFile, stop } = await openOwnDatabase()
stack.defer(stop)
const owner = new pg.Client(connection)
await owner.connect()
stack.defer(() => owner.end())
const [first = 0, last = 0] = await addAccounts(owner, ACCOUNTS)
await fillAccounts(owner, { from: first, to: last }, SIZE)
const links = await addLinks()
const [link] = links
if (!link) throw new Error('No contract can be answered about')
const key = await addKey(owner, link.accountId)
// Each customer has an address of their own, as on the internet.
const ours = await startOurs(connection, {
  JOBS: 'off',
  TRUSTED_PROXIES: '127.0.0.1',
  LIMIT_CUSTOMER_ANSWERS: '1000000000',
})
stack.defer(() => ours.stop())

printLoad()
await measurePage(link)
await weighPages(link)
const idle = ours.memory()
await measureAnswers(links.slice(0, PER_SECOND * SECONDS), await processorOfRenewal(links.slice(-RENEWALS)))
await measureGuesses(link)
console.log(
  `the server's memory: ${idle.toFixed(0)} MB before the answers, ${ours.memory().toFixed(0)} MB after the guesses`,
)
printLoad()

/** One link for each contract that can be renewed, those of all accounts in turn. */
async function addLinks(): Promise<SentLink[]> {
  await owner.query(`insert into companies (account_id, name) select id, 'Company ' || id from accounts`)
  await owner.query(`insert into answer_settings (account_id, renewal)
    select id, case when id % 2 = 0 then 'at_once' else 'waits' end from accounts`)
  const all = await addAnswerLinks(owner)
  const { rows } = await owner.query<{ id: number }>(`
    select id from contracts where status = 'active' and renewal_date > current_date
    order by row_number() over (partition by account_id order by id), account_id`)
  await owner.query('vacuum analyze')
  const byContract = new Map(all.map((one) => [one.contractId, one]))
  return rows.flatMap(({ id }) => byContract.get(id) ?? [])
}

async function measurePage({ token }: SentLink): Promise<void> {
  const took = await interleave(
    {
      page: { port: ours.port, request: requestOf({ path: `/answer/${token}` }) },
      form: { port: ours.port, request: requestOf({ path: `/answer/${token}/renew` }) },
      list: { port: ours.port, request: requestOf({ path: LIST, key }) },
    },
    TIMES,
  )
  printTimes({ what: 'page to answer, to list', ours: took('page'), reference: took('list') }, 2)
  printTimes({ what: 'form of an answer, to list', ours: took('form'), reference: took('list') }, 2)
}

/** A page that loaded anything else would weigh more than its document. */
async function weighPages({ token }: SentLink): Promise<void> {
  const bytes: number[] = []
  for (const page of PAGES) {
    const { head, body } = await ask(requestOf({ path: `/answer/${token}${page}` }))
    if (/<(script|link|img|iframe)|\bsrc=|url\(|@import/i.test(body))
      throw new Error(`/answer/…${page} loads more:\n${body}`)
    bytes.push(Buffer.byteLength(head) + gzipSync(body, { level: 9 }).length)
  }
  printFigure('largest page, gzipped', { figure: Math.max(...bytes), unit: 'bytes' }, MOST_BYTES)
}

interface Answer {
  contractId: number
  request: string
}

/** The server's processor time for a renewal by REST in milliseconds, of contracts that nobody answers about. */
async function processorOfRenewal(renewed: SentLink[]): Promise<number> {
  const keys = new Map<number, string>()
  for (const { accountId } of renewed) keys.set(accountId, keys.get(accountId) ?? (await addKey(owner, accountId)))
  const requests = renewed.map(({ accountId, contractId }) =>
    requestOf({ path: `/contracts/${contractId}/renew`, key: keys.get(accountId) ?? '', body: {} }),
  )
  const before = ours.processor()
  const result = await inParallel(requests, (ask, request) => ask(request))
  const each = (1000 * (ours.processor() - before)) / requests.length
  result.forEach(refuseFailure)
  // What is counted afterward is about answers alone.
  await owner.query('delete from contracts where id = any($1::int[])', [renewed.map(({ contractId }) => contractId)])
  return each
}

/** Sends answers when they are due, whether or not those before have been taken, from forms that were opened before. */
async function measureAnswers(answering: SentLink[], renewal: number): Promise<void> {
  const answers = await inParallel(answering, async (ask, one): Promise<Answer> => {
    const { body } = await ask(requestOf({ path: `/answer/${one.token}/renew` }))
    const page = /name="page" value="([^"]+)"/.exec(body)?.[1] ?? ''
    return { contractId: one.contractId, request: answerOf(one, page) }
  })
  const acknowledged: number[] = []
  const before = ours.processor()
  const begun = performance.now()
  const dueAt = (place: number) => begun + (place * 1000) / PER_SECOND
  const { result: milliseconds, seconds } = await timed(() =>
    inParallel(answers, async (ask, { contractId, request }, place) => {
      await pause(Math.max(0, dueAt(place) - performance.now()))
      if ((await ask(request)).status === 303) acknowledged.push(contractId)
      return performance.now() - dueAt(place)
    }),
  )
  const each = (1000 * (ours.processor() - before)) / acknowledged.length
  const faults = await auditAnswers(owner, acknowledged)
  console.log(
    `${acknowledged.length} of ${answers.length} answers taken in ${seconds.toFixed(1)} s, ` +
      `p50 ${median(milliseconds).toFixed(0)} ms, p99 ${quantile(milliseconds, 0.99).toFixed(0)} ms after they were due`,
  )
  for (const fault of faults.slice(0, 10)) console.log(fault)
  printRatio('processor ms of an answer, to a renewal by REST', [each, renewal], 2)
  printFigure('answers refused', { figure: answers.length - acknowledged.length, unit: 'answers' }, 0)
  printFigure('lost, doubled or in part', { figure: faults.length, unit: 'answers' }, 0)
  printRatio(`seconds, at ${PER_SECOND} answers a second`, [seconds, answers.length / PER_SECOND], 1.05)
}

function answerOf({ accountId, token }: SentLink, page: string): string {
  const form = new URLSearchParams({ choice: 'renew', page }).toString()
  const lines = [
    `POST /answer/${token} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/x-www-form-urlencoded',
    `x-forwarded-for: 10.0.${Math.floor(accountId / 250)}.${accountId % 250}`,
    `content-length: ${form.length}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${form}`
}

async function measureGuesses(known: SentLink): Promise<void> {
  await owner.query(`alter system set log_statement = 'all'`)
  await owner.query('select pg_reload_conf()')
  // Every connection learns of it by a signal.
  await pause(1000)
  const open = requestOf({ path: `/answer/${known.token}` })
  const before = await loggedBy(() => ask(open))
  if (before.statements === 0) throw new Error('The log does not have the statements of a page')
  const guesses = guessedTokens(known, GUESSES).map((token) => requestOf({ path: `/answer/${token}` }))
  const { statements, seconds, result } = await loggedBy(() => inParallel(guesses, (ask, guess) => ask(guess)))
  const found = result.filter(({ status }) => status !== 404).length
  console.log(`${GUESSES} guesses, ${(GUESSES / seconds).toFixed(0)} a second`)
  printFigure('guesses that found something', { figure: found, unit: 'guesses' }, 0)
  printFigure(`for ${GUESSES} guesses`, { figure: statements, unit: 'statements' }, 0)
}

/** Does some work, and counts the statements that the database has logged meanwhile. */
async function loggedBy<T>(work: () => Promise<T>): Promise<{ statements: number; seconds: number; result: T }> {
  const logged = () => readFileSync(logFile, 'utf8').match(/LOG: {2}(statement|execute [^:]+): /g)?.length ?? 0
  const before = logged()
  const done = await timed(work)
  return { ...done, statements: logged() - before }
}

type Ask = (request: string) => Promise<HttpAnswer>

/** Does something with each of many, begun in their order, over a few connections. */
async function inParallel<One, Result>(
  many: readonly One[],
  work: (ask: Ask, one: One, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = many.entries()
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openHttpClient(ours.port)))
  await Promise.all(
    clients.map(async (client) => {
      const send: Ask = (request) => client.send(request)
      for (const [place, one] of waiting) results.push(await work(send, one, place))
      client.close()
    }),
  )
  return results
}

async function ask(request: string): Promise<HttpAnswer> {
  const client = await openHttpClient(ours.port)
  const answer = await client.send(request)
  client.close()
  refuseFailure(answer)
  return answer
}

function printLoad(): void {
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`)
}
