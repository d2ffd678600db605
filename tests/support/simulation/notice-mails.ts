import { fault, textOf } from './fault.ts'
import {
  dayAt,
  isMuted,
  readersOf,
  type Model,
  type ModelAccount,
  type ModelContract,
  type ModelWindow,
  type Row,
} from './model.ts'
import { daysUntil } from './notice-days.ts'
import { hasLetter, isCounting, isIn, isWaiting, latestDay, noticesOf, windowOf } from './notice-rules.ts'
import { keyOf, unreachable, type Expected, type Line } from './lines.ts'

const WENT_OUT = new Set(['sending', 'sent', 'delivered'])

/** The notices by email that an account's planning has to add now: to each reader in an open window who has had none. */
export function expectedNotices(model: Model, account: ModelAccount, contracts: ModelContract[]): Expected[] {
  const today = dayAt(model.now, account.timeZone)
  return contracts.flatMap((contract) => {
    const window = emailWindowOf(model, contract)
    if (!window || !isIn(window, today) || isMuted(contract)) return []
    const readers = readersOf(contract.customer).map(({ id }) => lineOf(id))
    const reached = readers.filter((line) => unreachable(contract, line) === undefined)
    return reached
      .filter((line) => isDue(model, contract, { line, window, today }))
      .map((line) => {
        const offset = daysUntil(today, contract.renewalDate)
        const { since } = contract
        return { ...line, contract, since, kind: 'notice', offset, day: today, fate: 'due', isCertain: true }
      })
  })
}

function lineOf(contactId: number): Line {
  return { recipient: 'customer', contactId, channel: 'email' }
}

/** The days on which email counts, and no letter stands for it. */
export function emailWindowOf(model: Model, contract: ModelContract): ModelWindow | undefined {
  const window = windowOf(contract)
  return window?.means.includes('email') && !hasLetter(model, contract) ? window : undefined
}

interface DueTo {
  line: Line
  window: ModelWindow
  today: string
}

/**
 * One that bounced or was certainly not sent is tried again on another day. Whoever was written to today is not written
 * to again, unless the window closes.
 */
function isDue(model: Model, contract: ModelContract, { line, window, today }: DueTo): boolean {
  const rows = (model.rowsOf.get(contract.id) ?? []).filter(
    ({ recipient, contactId, term, renewalDate }) =>
      recipient === 'customer' &&
      contactId === line.contactId &&
      term === contract.term &&
      renewalDate === contract.renewalDate,
  )
  const notices = rows.filter((row) => row.kind === 'notice' && (isIn(window, latestDay(row)) || isWaiting(row, today)))
  if (notices.some((row) => latestDay(row) >= today || !isToBeRepeated(row))) return false
  return today === window.through || !rows.some((row) => latestDay(row) === today && isWritten(row))
}

/** A confirmation that is planned for today goes out before the notice would. */
function isWritten({ kind, state }: Row): boolean {
  return WENT_OUT.has(state) || (kind === 'confirmation' && state === 'planned')
}

function isToBeRepeated({ state, reason }: Row): boolean {
  if (state === 'bounced') return true
  return (state === 'skipped' || state === 'failed') && reason !== 'by_hand' && reason !== 'unknown'
}

/** Why a notice must not be sent now; undefined if it may. */
export function noticeObstacle(
  model: Model,
  contract: ModelContract,
  today: string,
): 'not_due' | 'too_late' | undefined {
  const window = emailWindowOf(model, contract)
  if (!window || today < window.from) return 'not_due'
  return today > window.through ? 'too_late' : undefined
}

/** Of a notice that was received. */
export function judgeNotice(model: Model, contract: ModelContract, { row, today }: { row: Row; today: string }): void {
  const what = `message ${row.id} ${textOf(row)}`
  const obstacle = noticeObstacle(model, contract, today)
  if (obstacle) fault(model, `${what}: ${obstacle}`, contract.id)
  model.notices.counts.emailed += 1
  if (model.byHand.has(row.id)) model.notices.counts.byHand += 1
  const window = windowOf(contract)
  const others = noticesOf(model, contract, contract).filter(
    ({ id, contactId, sentOn }) =>
      id !== row.id && contactId === row.contactId && window !== undefined && isIn(window, sentOn ?? ''),
  )
  if (others.some(({ state }) => state === 'bounced')) model.notices.counts.repeated += 1
  const first = others.find(({ state }) => state === 'sent' || state === 'delivered')
  if (first && !model.byHand.has(row.id) && !model.byHand.has(first.id))
    fault(model, `${what}: the second notice, after ${textOf(first)}`, contract.id)
}

interface SentRound {
  /** The accounts that were planned in this round. */
  accounts: Set<number>
  /** What was due when that happened. */
  expected: Map<string, Expected>
}

/**
 * After a round in which the mail server took everything, each notice that was planned in it has been sent, waits for a
 * limit or its owner, or could not be sent for what has changed since.
 */
export function judgeNoticesSent(model: Model, { accounts, expected }: SentRound): void {
  for (const [key, notice] of expected) {
    const { contract, since, kind, contactId, offset } = notice
    const { account } = contract
    const isOfDate = key === keyOf(contract.id, { ...notice, renewalDate: contract.renewalDate, term: contract.term })
    if (kind !== 'notice' || !isOfDate || !accounts.has(account.id) || !account.isVerified || !account.hasAccess)
      continue
    const today = dayAt(model.now, account.timeZone)
    const row = noticesOf(model, contract, contract).findLast(
      (one) => one.plannedFor === contactId && one.offset === offset,
    )
    const line = lineOf(row?.contactId ?? contactId)
    const isKept = isMuted(contract) || unreachable(contract, line) || noticeObstacle(model, contract, today)
    const isWaiting = row?.state === 'planned' && row.waitsFor !== null
    // A renewal that was undone and repeated since has withdrawn it, and it is planned again.
    const isWithdrawn = !row && since !== contract.since
    // Another one counts by the window, which has moved since, or may have been sent.
    const window = windowOf(contract)
    const others = noticesOf(model, contract, contract).filter((one) => one !== row && one.contactId === line.contactId)
    const isAnother = (one: Row) =>
      [one.state, model.statesBefore.get(one.id)].includes('sending') || (window && isCounting(one, window))
    const isNoticed = row?.reason === 'noticed' && others.some(isAnother)
    if (isKept || isWaiting || isWithdrawn || isNoticed || row?.reason === 'limited' || row?.reason === 'by_hand')
      continue
    if (!row || !WENT_OUT.has(row.state))
      fault(
        model,
        `contract ${contract.id}: its notice is ${row ? textOf(row) : 'missing'}, and nothing kept it`,
        contract.id,
      )
  }
}
