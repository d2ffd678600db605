import { fault } from './fault.ts'
import {
  dayAt,
  isMuted,
  readersOf,
  remember,
  type Model,
  type ModelAccount,
  type ModelWarning,
  type RecordedWindow,
} from './model.ts'
import { daysUntil } from './notice-days.ts'
import { isGiven, isIn, isWaiting, latestDay, noticesOf, windowKey, windowOf } from './notice-rules.ts'
import type { Play } from './play.ts'
import { unreachable } from './lines.ts'

/** The owner is warned so many days before a window closes, and again. */
const [FIRST, LAST] = [7, 2]
/** Of more at once, one notification counts them. */
const MOST_NAMED = 5
const HOUR = 3_600_000

interface StoredWarning extends ModelWarning {
  accountId: number
  id: number
  term: number
  renewalDate: string
}

/** Of the accounts that were planned just now: whose windows close soon without notice, and nobody else's, were warned about. */
export async function judgeWarnings(play: Play, accounts: Set<number>): Promise<void> {
  const { model, owner } = play
  const { rows } = await owner.query<StoredWarning>(
    `select account_id as "accountId", contract_id as id, term_number as term, renewal_date::text as "renewalDate",
      warned_days as days, warned_last_day::text as through, (extract(epoch from warned_at) * 1000)::float8 as at
      from notices where warned_at = $1`,
    [new Date(model.now)],
  )
  for (const row of rows) judgeWarning(model, row)
  for (const account of model.accounts) if (accounts.has(account.id)) judgeUnwarned(model, account)
  await judgeNotifications(play, rows)
}

function judgeWarning(model: Model, { id, term, renewalDate, days, through, at }: StoredWarning): void {
  const what = `contract ${id}: a warning ${days} days before ${through}`
  const one = model.notices.recorded.get(windowKey({ id, term, renewalDate }))
  if (!one) return fault(model, `${what}, of no window`, id)
  const today = dayAt(model.now, one.contract.account.timeZone)
  const left = daysUntil(today, one.through)
  if (isGiven(model, one)) fault(model, `${what}, after notice was given`, id)
  if (!isIn(one, today) || left > FIRST || through !== one.through) fault(model, `${what}, on ${today}`, id)
  if (days !== reached(left)) fault(model, `${what}, on ${today}, too early or too late`, id)
  if (isWarned(model, one, days)) fault(model, `${what}, again`, id)
  one.warned = { days, through, at }
  model.notices.counts.warnings += 1
  remember(model, id, `warned ${days} days before ${through}`)
}

function reached(left: number): number {
  return left <= LAST ? LAST : FIRST
}

/** Of this last day, and not before an email that no longer counts, unless a clock that was ahead has sent it at a time to come. */
export function isWarned(model: Model, { warned, ...one }: RecordedWindow, days: number): boolean {
  if (!warned || warned.through !== one.through || warned.days > days) return false
  const today = dayAt(model.now, one.contract.account.timeZone)
  return !noticesOf(model, one.contract, one).some(({ sentOn, sendingAt }) => {
    const at = sendingAt ?? 0
    return sentOn !== null && sentOn <= today && isIn(one, sentOn) && at > warned.at && at <= model.now
  })
}

/** Every window of the account, which was planned just now, that closes soon without notice was warned about. */
export function judgeUnwarned(model: Model, account: ModelAccount): void {
  const today = dayAt(model.now, account.timeZone)
  for (const [key, one] of model.notices.recorded) {
    const { contract } = one
    if (contract.account !== account || key !== windowKey(contract)) continue
    // One that was tried by a rule that has changed since is still recorded.
    const window = windowOf(contract)
    const left = daysUntil(today, one.through)
    if (!window || !isIn(window, today) || left > FIRST) continue
    const ungiven = isAboutToBeSent(model, one, left) ? 'sending' : 'due'
    one.seen = isGiven(model, one) ? 'given' : ungiven
    if (one.seen === 'due' && !isWarned(model, one, reached(left))) {
      const text = `its window closes on ${one.through}, without notice and without a warning`
      fault(model, `contract ${contract.id}: ${text}`, contract.id)
    }
  }
}

/** Somebody can be reached by email, and has not been tried for an hour or until the last days. */
function isAboutToBeSent(model: Model, one: RecordedWindow, left: number): boolean {
  const { contract } = one
  const { account, customer } = contract
  if (!one.means.includes('email') || !account.hasAccess || !account.isVerified || isMuted(contract)) return false
  const lines = readersOf(customer).map(({ id }) => ({ recipient: 'customer', contactId: id, channel: 'email' }))
  const reached = lines.filter((line) => unreachable(contract, line) === undefined)
  if (reached.length === 0) return false
  if (left > LAST) return true
  const today = dayAt(model.now, account.timeZone)
  const rows = noticesOf(model, contract, one).filter((row) => isIn(one, latestDay(row)) || isWaiting(row, today))
  return reached.some(({ contactId }) =>
    rows.every((row) => row.contactId !== contactId || (row.state === 'planned' && model.now - row.plannedAt < HOUR)),
  )
}

const UNWARNED = {
  never: 'missedUnplanned',
  given: 'missedGiven',
  sending: 'missedSending',
  due: 'missedUnwarned',
} as const

async function judgeNotifications({ model, owner }: Play, warnings: StoredWarning[]): Promise<void> {
  const { rows } = await owner.query<{ accountId: number; count: number; last: number }>(
    `select account_id as "accountId", count(*)::int as count, max(id) as last from notifications
      where id > $1 and title ~ 'told yet$' group by account_id`,
    [model.notices.lastNotification],
  )
  model.notices.lastNotification = Math.max(model.notices.lastNotification, ...rows.map(({ last }) => last))
  for (const { id } of model.accounts) {
    const count = warnings.filter(({ accountId }) => accountId === id).length
    const told = rows.find(({ accountId }) => accountId === id)?.count ?? 0
    if (told !== (count > MOST_NAMED ? 1 : count))
      fault(model, `account ${id}: ${told} notifications of ${count} windows that close without notice`)
  }
}

/**
 * Of emails about warnings: to owners only, and one a day, except where a window closes that day. It is the same day where both
 * the servers and the reader say so.
 */
export function judgeWarningMails(model: Model, since: number): void {
  for (const { messageId, to, at } of model.receipts.slice(since)) {
    const id = Number(/^<notice-warnings-(\d+)-/.exec(messageId)?.[1])
    const account = model.accounts.find((one) => one.id === id)
    if (!account) {
      fault(model, `mail ${messageId} to ${to}: about no account`)
      continue
    }
    model.notices.counts.warningMails += 1
    const isReached = account.isVerified && !account.bounced.has(account.ownerEmail) && to === account.ownerEmail
    if (!isReached) fault(model, `mail ${messageId}: went to ${to}`)
    const today = dayAt(at, account.timeZone)
    const readOn = dayAt(at - model.clockError, account.timeZone)
    const before = account.warnedBy
    const isSecond = before?.day === today && before.readOn === readOn && before.messageId !== messageId
    if (isSecond && !closesOn(model, account, today)) fault(model, `mail ${messageId} to ${to}: the second of ${today}`)
    account.warnedBy = { day: today, readOn, messageId }
  }
}

function closesOn(model: Model, account: ModelAccount, day: string): boolean {
  return [...model.notices.recorded.values()].some(
    ({ contract, through }) => contract.account === account && through === day,
  )
}

/**
 * Every window that was missed was warned about, unless nothing was planned in its last week, or notice had been given or
 * was about to be whenever something was.
 */
export function judgeMissed(model: Model): void {
  const { recorded, counts } = model.notices
  for (const one of recorded.values()) {
    const isOver = one.through < dayAt(model.now, one.contract.account.timeZone)
    if (!isOver || isGiven(model, one)) continue
    const isWarnedOf = one.warned?.through === one.through
    counts[isWarnedOf ? 'missedWarned' : UNWARNED[one.seen ?? 'never']] += 1
    const text = `its window of ${one.through} was missed without a warning`
    if (!isWarnedOf && one.seen === 'due') fault(model, `contract ${one.contract.id}: ${text}`, one.contract.id)
  }
}
