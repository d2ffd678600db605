import { setTimeout as pause } from 'node:timers/promises'
import { REPLAN_AFTER_MINUTES } from '#shared/domain/replanning.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import type { JobContext, Services } from '#server/context.ts'
import { isUnreachable } from '#server/db/connections/failover.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { mailNoticeWarnings } from '#server/notices/mail-notice-warnings.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { purgeTrash } from '#server/trash/purge-trash.ts'
import { randomFrom, shareOf } from '#support/random.ts'
import { fakeServices } from '#support/services.ts'
import { changeAnswerSettings, decideAnswers, revokeFresh, saveOfAccount, undoFresh } from './answer-decisions.ts'
import { customersAnswer } from './answers.ts'
import { judgeAnswers } from './answer-taking.ts'
import { judgeBulkChanges } from './bulk.ts'
import { actByHand } from './by-hand.ts'
import { CERTAIN_EDITS, addContract, changeCustomer, changeVerification, edit, obstruct } from './edits.ts'
import { judgeConfirmations } from './confirmations.ts'
import { expectedOf } from './expectation.ts'
import { fewSteps, mortal, simulatedMailer, type Conditions } from './faults.ts'
import { fault } from './fault.ts'
import { noteOutage } from './limits.ts'
import { judgeEnd, judgePlanning, judgeSending, look } from './ledger-watch.ts'
import {
  dayAt,
  daysLater,
  hourAt,
  newModel,
  remember,
  stateOf,
  type AnswerCounts,
  type Model,
  type ModelAccount,
  type ModelContract,
  type NoticeCounts,
} from './model.ts'
import { judgeNight } from './night.ts'
import { beginWithRules, changeNoticeOf, changeRules, mailLetters } from './notice-deeds.ts'
import { judgeNoticesSent } from './notice-mails.ts'
import { judgeMissed, judgeWarningMails, judgeWarnings } from './notice-warnings.ts'
import { countWindows, judgeLists, recordWindows } from './notice-record.ts'
import type { Play } from './play.ts'
import { judgePurge, restore } from './trash.ts'
import { openAccount } from './start.ts'
import { unreachable, type Expected } from './lines.ts'
import Fastify from 'fastify'
import pg from 'pg'

export interface SimulationOptions {
  /** A migrated database that nobody else uses. */
  connection: pg.PoolConfig
  seed: number
  contracts: number
  days: number
  tell?: (text: string) => void
  /** Ends with the day of the first fault. */
  untilFault?: boolean
}

export interface SimulationReport {
  faults: string[]
  rounds: number
  edits: number
  /** Edits between planning and sending. */
  obstructed: number
  kills: number
  drops: number
  jumps: number
  messages: number
  received: number
  /** Emails that were more than one message. */
  digests: number
  /** How often a message had to wait for a limit, and how many were skipped for one. */
  held: number
  limited: number
  /** How many messages to customers waited for the owner to verify their address. */
  waited: number
  repeats: number
  /** Messages that reached contacts besides the first. */
  toContacts: number
  /** Contracts that were renewed, ended or expired by themselves. */
  byItself: number
  /** Of these, the ones by agreement that ended some days after their dates. */
  overdueEnded: number
  /** Contracts that their owners ended or reopened. */
  ended: number
  reopened: number
  /** Prices that were scheduled for next terms, and renewals with such a price. */
  scheduled: number
  repriced: number
  /** Decisions that were undone. */
  undone: number
  /** Emails that told a customer of a renewal. */
  confirmed: number
  /** Contracts that were changed together with others, or were left out of that. */
  changed: number
  leftOut: number
  /** Those of them that were tagged, or reminded about. */
  tagged: number
  reminded: number
  /** Those of them of which that was undone, or which were kept as they are. */
  bulkUndone: number
  bulkKept: number
  /** Contracts that imports have changed, and rows that have failed. */
  imported: number
  importRefused: number
  /** Those that were put back as they were, or kept. */
  importUndone: number
  importKept: number
  /** Messages that were not sent because emails about the renewal date were turned off. */
  muted: number
  /** What customers answered, and what became of windows for notices. */
  answers: AnswerCounts
  notices: NoticeCounts
  /** Contracts that were restored from the trash, and that were deleted for good. */
  restored: number
  purged: number
}

const START = Date.parse('2027-01-04T00:30:00Z')
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const ACCOUNTS = 8
/** Only the latest of those that were deleted: older ones are gone. */
const MOST_RESTORED = 20
/** So few that a killed process leaves a change half done. */
const CONTRACTS_AT_ONCE = 2
/** What happens with every seed, after the first, the second and the third quarter of the days. */
const CERTAIN = ['kill', 'jump', 'drop'] as const
const SHARES: Record<Certain, number> = { kill: 0, drop: 0.1, jump: 1 }

type Certain = (typeof CERTAIN)[number]

/** The whole of TRAXX's reminders, day by day, in a world where things go wrong; see `expectation.ts` for the judge. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  await using stack = new AsyncDisposableStack()
  const owner = new pg.Client(options.connection)
  await owner.connect()
  stack.defer(() => owner.end())
  const db = await openDatabase(options.connection)
  stack.defer(() => db.close())
  const simulation = await new Simulation(options, { owner, db }).begin()
  for (let day = 0; day < options.days; day += 1) {
    await simulation.liveThrough(day)
    if (options.untilFault && simulation.hasFaults()) break
  }
  return await simulation.end()
}

interface Opened {
  owner: pg.Client
  db: Database
}

interface Round {
  isHealthy: boolean
  processes: Ctx[]
  dropsConnections?: boolean
}

type Ctx = JobContext

class Simulation {
  readonly #options: SimulationOptions
  readonly #opened: Opened
  readonly #play: Play
  readonly #conditions: Conditions = { mail: 'fine' }
  readonly #services: Services
  readonly #log = Object.assign(Object.create(Fastify().log), {
    error: ({ err }: { err?: unknown }) => this.#noteLate(err),
  })
  #isLate = false
  readonly #report = { rounds: 0, edits: 0, obstructed: 0, kills: 0, drops: 0, jumps: 0 }
  readonly #waited = new Set<number>()
  #mailTurnsAt = 0
  /** How many faults were told. */
  #told = 0
  #serversDownUntil = 0
  #clockIsTrustedFrom = 0

  constructor(options: SimulationOptions, opened: Opened) {
    this.#options = options
    this.#opened = opened
    const model = newModel(START)
    // Few enough that they are met now and then, and enough for two contacts of a customer.
    const ofPaying = Math.max(2, Math.ceil(options.contracts / ACCOUNTS / 5))
    model.mailCounts.limits = { toAddress: 2, ofPaying, ofTrial: 1 }
    this.#play = { model, random: randomFrom(options.seed), owner: opened.owner }
    const now = () => new Date(model.now)
    const mailer = simulatedMailer(model, this.#conditions, options.seed)
    this.#services = fakeServices({ mailer, now, billingNow: now, mailLimits: model.mailCounts.limits })
  }

  async begin(): Promise<this> {
    const { db, owner } = this.#opened
    const { model } = this.#play
    for (let place = 0; place < ACCOUNTS; place += 1) {
      const account = await openAccount({ db, owner, services: this.#services }, place)
      model.accounts.push(account)
      await beginWithRules(this.#play, account)
      if (place % 2 === 0) await saveOfAccount(this.#play, account)
    }
    for (let n = 0; n < this.#options.contracts; n += 1) await addContract(this.#play, this.#accountAt(n))
    return this
  }

  hasFaults(): boolean {
    return this.#play.model.faults.length > 0
  }

  async liveThrough(day: number): Promise<void> {
    const { model } = this.#play
    const rounds = Math.floor(2 + 3 * shareOf(this.#options.seed, day))
    for (let round = 0; round < rounds; round += 1) {
      // Drawn anew for each, so that what races change in one round does not change what happens in all that follow.
      const random = randomFrom(shareOf(this.#options.seed, day, round) * 2 ** 32)
      this.#play.random = random
      model.clockError = 0
      // The contracts of the first day are planned some minutes after they were added.
      const later = random.int((REPLAN_AFTER_MINUTES + 1) * MINUTE, 3.5 * HOUR)
      model.now = START + day * DAY + (round * DAY) / rounds + later
      const certain = round === 0 ? this.#certainOn(day) : undefined
      this.#jump(certain === 'jump')
      this.#changeWeather()
      const hasEdited = await this.#edit()
      const hasCertainly = round === 0 && (await this.#editOn(day))
      const hasAnswered = await this.#answer()
      if (hasEdited || hasCertainly || hasAnswered) model.now += random.int(6, 30) * MINUTE
      if (certain || model.now >= this.#serversDownUntil) await this.#runJobs(certain)
    }
    for (const text of model.faults.slice(this.#told)) this.#options.tell?.(text)
    this.#told = model.faults.length
    if (day % 30 === 29)
      this.#options.tell?.(`day ${day + 1}: ${model.rows.size} messages, ${model.faults.length} faults`)
  }

  /** Customers answer, owners decide about that, and about notices. */
  async #answer(): Promise<boolean> {
    const { model, random } = this.#play
    const live = [...model.contracts.values()].filter(({ deletion, account }) => !deletion && account.hasAccess)
    const accounts = model.accounts.filter(({ hasAccess }) => hasAccess)
    if (accounts.length > 0 && random.chance(0.08)) await changeRules(this.#play, random.pick(accounts))
    for (const contract of live) {
      if (random.chance(0.003)) await changeNoticeOf(this.#play, contract)
      if (random.chance(0.002)) await changeAnswerSettings(this.#play, contract)
      const isReached = unreachable(contract, { recipient: 'customer', contactId: 0, channel: 'email' }) === undefined
      if (!isReached && random.chance(0.03)) await changeCustomer(this.#play, contract)
    }
    await mailLetters(this.#play)
    if (random.chance(0.04)) await revokeFresh(this.#play)
    const hasDecided = await decideAnswers(this.#play)
    const hasAnswered = await customersAnswer(this.#play)
    await undoFresh(this.#play)
    if (random.chance(0.1)) await judgeLists(this.#play, random.pick(model.accounts))
    return hasDecided || hasAnswered
  }

  /** Some edits happen for certain, at even intervals. */
  async #editOn(day: number): Promise<boolean> {
    const { model, random } = this.#play
    const count = CERTAIN_EDITS.length + 1
    const edits = CERTAIN_EDITS.filter((_edit, place) => Math.floor(((place + 1) * this.#options.days) / count) === day)
    for (const certain of edits) {
      const live = [...model.contracts.values()].filter(({ deletion, account }) => !deletion && account.hasAccess)
      if (live.length === 0) continue
      await certain(this.#play, random.pick(live))
      model.now += 1000
    }
    return edits.length > 0
  }

  #certainOn(day: number): Certain | undefined {
    return CERTAIN.find((_event, place) => Math.floor(((place + 1) * this.#options.days) / 4) === day)
  }

  /** No more outages, until everything has been done. */
  async end(): Promise<SimulationReport> {
    const { model } = this.#play
    this.#conditions.mail = 'fine'
    model.clockError = 0
    for (const account of model.accounts) if (!account.isVerified) await changeVerification(this.#play, account)
    const from = Math.max(model.now, START + this.#options.days * DAY)
    for (let hours = 1; hours <= 72; hours += 2) {
      model.now = from + hours * HOUR
      await this.#runRound({ isHealthy: true, processes: [this.#process()] })
    }
    judgeEnd(model)
    await this.#judgeNotices()
    for (const account of model.accounts) await judgeLists(this.#play, account)
    for (const contract of model.contracts.values()) await judgeAnswers(this.#play, contract)
    countWindows(model)
    judgeMissed(model)
    const repeats = [...model.rows.values()].filter((row) => row.repeats > 0).length
    return {
      ...this.#report,
      faults: model.faults,
      messages: model.rows.size,
      received: model.receipts.length,
      digests: model.mailCounts.digests,
      held: model.mailCounts.held,
      limited: [...model.rows.values()].filter(({ reason }) => reason === 'limited').length,
      waited: this.#waited.size,
      ...model.decided,
      ...model.bulk,
      ...model.imports,
      muted: [...model.rows.values()].filter(({ reason }) => reason === 'muted').length,
      ...model.trash,
      answers: model.answers.counts,
      notices: model.notices.counts,
      repeats,
      toContacts: model.deliveries.filter(({ rowId }) => (model.rows.get(rowId)?.contactId ?? 0) > 0).length,
    }
  }

  /** A server whose clock is wrong for one round, or was; once for certain. */
  #jump(isCertain: boolean): void {
    const { random, model } = this.#play
    if (!random.chance(0.01) && !isCertain) return
    this.#report.jumps += 1
    this.#clockIsTrustedFrom = Infinity
    model.clockError = random.pick([-30 * HOUR, -3 * HOUR, 5 * HOUR, 3 * DAY, 20 * DAY, 100 * DAY])
    model.now += model.clockError
  }

  #changeWeather(): void {
    const { random, model } = this.#play
    if (model.now >= this.#mailTurnsAt) {
      this.#conditions.mail = random.pick(['fine', 'fine', 'fine', 'flaky', 'flaky', 'down'] as const)
      this.#mailTurnsAt = model.now + Math.ceil(Math.exp(random.share() * Math.log(20))) * DAY
    }
    if (random.chance(0.004)) this.#serversDownUntil = model.now + random.int(1, 40) * DAY
  }

  async #edit(): Promise<boolean> {
    const { random, model } = this.#play
    const live = [...model.contracts.values()].filter(({ deletion, account }) => !deletion && account.hasAccess)
    const count = Math.round(random.share() * 2 * Math.max(1, live.length * 0.02))
    // Every account may be without a subscription at once.
    for (let n = 0; n < count && live.length > 0; n += 1) {
      const contract = random.pick(live)
      if (contract.deletion || !contract.account.hasAccess) continue
      if (random.chance(0.1)) await actByHand(this.#play, contract)
      else await edit(this.#play, contract)
      remember(model, contract.id, `edited: ${stateOf(contract)}`)
      this.#report.edits += 1
      // People do one thing after the other.
      model.now += 1000
    }
    const hasRestored = await this.#restore()
    const hasReplaced = await this.#replaceDeleted(live.length)
    const locked = model.accounts.filter(({ hasAccess }) => !hasAccess)
    for (const account of locked) if (random.chance(0.02)) await this.#pay(account)
    // Not before something has waited for it, which else not every seed would have.
    const unverified = this.#waited.size > 0 ? model.accounts.filter(({ isVerified }) => !isVerified) : []
    for (const account of unverified) if (random.chance(0.02)) await changeVerification(this.#play, account)
    return count > 0 || hasRestored || hasReplaced
  }

  async #restore(): Promise<boolean> {
    const { random, model } = this.#play
    const inTrash = [...model.contracts.values()].filter(({ deletion, account }) => deletion && account.hasAccess)
    if (inTrash.length === 0 || !random.chance(0.1)) return false
    const contract = random.pick(inTrash.slice(-MOST_RESTORED))
    await restore(this.#play, contract)
    remember(model, contract.id, `restored: ${stateOf(contract)}`)
    return true
  }

  async #replaceDeleted(left: number): Promise<boolean> {
    const { random, model } = this.#play
    const open = model.accounts.filter(({ hasAccess }) => hasAccess)
    const count = open.length === 0 ? 0 : this.#options.contracts - left
    for (let n = 0; n < count; n += 1) await addContract(this.#play, random.pick(open))
    return count > 0
  }

  async #pay(account: ModelAccount): Promise<void> {
    account.hasAccess = true
    await this.#opened.owner.query(`update subscriptions set status = 'active' where account_id = $1`, [account.id])
  }

  async #runJobs(certain: Certain | undefined): Promise<void> {
    const { random } = this.#play
    const share = certain ? SHARES[certain] : random.share()
    if (share < 0.06) return this.#runRound({ isHealthy: false, processes: [this.#killed()] })
    if (share < 0.1) return this.#runRound({ isHealthy: false, processes: [this.#killed(), this.#process()] })
    if (share < 0.13) return this.#runRound({ isHealthy: false, processes: [this.#process()], dropsConnections: true })
    if (share < 0.25) return this.#runRound({ isHealthy: true, processes: [this.#process(), this.#process()] })
    return this.#runRound({ isHealthy: true, processes: [this.#process()] })
  }

  #process(): Ctx {
    const { db } = this.#opened
    return {
      db: db.as('job:simulated'),
      services: this.#services,
      log: this.#log,
      signal: new AbortController().signal,
    }
  }

  #killed(): Ctx {
    this.#report.kills += 1
    const { isDead: _isDead, ...outside } = mortal(this.#process(), fewSteps(this.#play.random))
    return { ...this.#process(), ...outside }
  }

  async #runRound(round: Round): Promise<void> {
    const { model, owner } = this.#play
    this.#report.rounds += 1
    // What a clock that was ahead has put off is planned up to a day after somebody with the right time has seen it.
    if (this.#clockIsTrustedFrom === Infinity && round.isHealthy && model.clockError === 0)
      this.#clockIsTrustedFrom = model.now + 28 * HOUR
    await look(owner, model)
    await this.#all(round, purgeTrash)
    await judgePurge(this.#play, { isComplete: round.isHealthy })
    await this.#changeMany(round)
    await this.#renew(round)
    const expected = this.#expected()
    const since = model.receipts.length
    const plannedBefore = new Map(model.accounts.map((account) => [account, account.plannedDay]))
    await this.#all(round, planReminders)
    const fresh = await look(owner, model)
    const isHealthy = round.isHealthy && model.now >= this.#clockIsTrustedFrom
    const accounts = await this.#notePlanned(isHealthy)
    for (const [account, day] of plannedBefore) if (accounts.has(account.id)) recordWindows(model, account, day)
    await judgeWarnings(this.#play, accounts)
    judgePlanning(model, { fresh, expected, accounts, isHealthy })
    await this.#obstruct()
    await this.#all(round, sendReminders)
    if (!round.isHealthy) noteOutage(model)
    await look(owner, model)
    judgeSending(model, since, round.isHealthy)
    if (round.isHealthy && this.#conditions.mail === 'fine') judgeNoticesSent(model, { accounts, expected })
    this.#noteWaits()
    const warned = model.receipts.length
    await this.#all(round, mailNoticeWarnings)
    judgeWarningMails(model, warned)
  }

  /** What changes of several contracts at once come to; it is planned some minutes later. */
  async #changeMany(round: Round): Promise<void> {
    const { model, random } = this.#play
    await this.#all(round, (ctx) => runBulkChanges(ctx, { contractsAtOnce: CONTRACTS_AT_ONCE }))
    const count = await judgeBulkChanges(this.#play, { isComplete: round.isHealthy })
    if (count > 0) model.now += random.int(REPLAN_AFTER_MINUTES + 1, 10) * MINUTE
  }

  /** What happens to contracts by themselves; it is planned some minutes later. */
  async #renew(round: Round): Promise<void> {
    const { model, owner, random } = this.#play
    const before = model.decided.byItself
    await this.#all(round, renewContracts)
    await judgeNight(this.#play, { isComplete: round.isHealthy })
    await look(owner, model)
    judgeConfirmations(model)
    if (model.decided.byItself > before) model.now += random.int(REPLAN_AFTER_MINUTES + 1, 10) * MINUTE
  }

  #noteWaits(): void {
    const { model } = this.#play
    const unverified = new Set(model.accounts.filter(({ isVerified }) => !isVerified).map(({ id }) => id))
    for (const id of model.open) {
      const row = model.rows.get(id)
      const isWaiting =
        row?.recipient === 'customer' && row.plannedAt < model.now - DAY && unverified.has(row.accountId)
      if (isWaiting) this.#waited.add(id)
    }
  }

  /** People do not wait until what was planned is sent. */
  async #obstruct(): Promise<void> {
    const { model, random } = this.#play
    const waiting = new Set(
      [...model.open].map((id) => model.rows.get(id)).map((row) => model.contracts.get(row?.contractId ?? 0)),
    )
    for (const contract of waiting) {
      if (!contract || contract.deletion || !contract.account.hasAccess) continue
      // What this skips is told by its instant from what planning has just skipped.
      model.now += 1000
      // Where nobody knows whether a message was sent, its repeat must not go to the next reader.
      if (this.#isLost(contract) && random.chance(0.4)) await changeCustomer(this.#play, contract)
      else if (random.chance(this.#isNoticed(contract) ? 0.3 : 0.15)) await obstruct(this.#play, contract)
      else continue
      remember(model, contract.id, `edited while messages waited: ${stateOf(contract)}`)
      this.#report.obstructed += 1
    }
  }

  #isNoticed({ id }: ModelContract): boolean {
    const { rowsOf, open } = this.#play.model
    return (rowsOf.get(id) ?? []).some((row) => row.kind === 'notice' && open.has(row.id))
  }

  #isLost({ id }: ModelContract): boolean {
    const rows = this.#play.model.rowsOf.get(id) ?? []
    return rows.some(({ state, recipient }) => state === 'sending' && recipient === 'customer')
  }

  /** What all processes make of it at once. One that is killed says nothing of what it did. */
  async #all(round: Round, job: (ctx: Ctx) => Promise<void>) {
    const dropping = round.dropsConnections ? this.#dropConnections() : undefined
    await Promise.all(round.processes.map((ctx) => job(ctx).catch((error: unknown) => this.#noteLate(error))))
    await dropping
    // On a machine that is busy otherwise, connections are not made in time.
    if (this.#isLate) round.isHealthy = false
    this.#isLate = false
  }

  #noteLate(error: unknown): void {
    this.#isLate ||= isUnreachable(error)
  }

  async #dropConnections(): Promise<void> {
    this.#report.drops += 1
    await pause(this.#play.random.int(0, 15))
    const { owner } = this.#opened
    const { rows } = await owner.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    const ended = rows.map(({ pid }) => pid)
    const isLeft = async () => (await owner.query('select from pg_stat_activity where pid = any($1)', [ended])).rowCount
    // Whoever comes next is not to take one of them for one that works.
    while (await isLeft()) await pause(5)
    await pause(20)
  }

  #expected(): Map<string, Expected> {
    const { model } = this.#play
    const byAccount = Map.groupBy(model.contracts.values(), ({ account }: ModelContract) => account)
    return new Map(model.accounts.flatMap((one) => [...expectedOf(model, one, byAccount.get(one) ?? [])]))
  }

  /** Which accounts were planned just now. In a healthy round, none may be stalled. */
  async #notePlanned(isHealthy: boolean): Promise<Set<number>> {
    const { model, owner } = this.#play
    const { rows } = await owner.query<{ id: number }>(
      'select account_id as id from reminder_schedules where planned_at = $1',
      [new Date(model.now)],
    )
    const planned = new Set(rows.map(({ id }) => id))
    for (const account of model.accounts) {
      const today = dayAt(model.now, account.timeZone)
      // Not so many hours later: a day on which a clock changes has fewer.
      const tomorrow = daysLater(today, 1)
      const hasStruck = hourAt(model.now, account.timeZone) >= account.hour
      if (planned.has(account.id)) account.plannedDay = account.hasAccess ? today : tomorrow
      else if (isHealthy && hasStruck && account.plannedDay < today && hasContracts(model, account))
        fault(model, `account ${account.id} was not planned`)
      const inThreeDays = daysLater(today, 3)
      if (isHealthy && hasStruck && account.plannedDay > inThreeDays)
        fault(model, `account ${account.id} waits until ${account.plannedDay}`)
    }
    return planned
  }

  async #judgeNotices(): Promise<void> {
    const { model, owner } = this.#play
    const { rows } = await owner.query<{ count: number }>(
      `select count(*)::int as count from notifications where type <> 'other'`,
    )
    const given = [...model.rows.values()].filter(
      ({ channel, state }) => channel === 'in_app' && state === 'sent',
    ).length
    if (rows[0]?.count !== given) fault(model, `${given} notices in the ledger, ${rows[0]?.count} in the app`)
  }

  #accountAt(place: number): ModelAccount {
    const account = this.#play.model.accounts[place % ACCOUNTS]
    if (!account) throw new Error('There are accounts')
    return account
  }
}

/** One without contracts has nothing to plan. */
function hasContracts({ contracts }: Model, account: ModelAccount): boolean {
  return [...contracts.values()].some((contract) => contract.account === account && !contract.deletion)
}
