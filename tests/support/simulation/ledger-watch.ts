import type { Client } from 'pg'
import {
  addressOf,
  dayAt,
  daysLater,
  isMuted,
  isOpen,
  remember,
  wishesOf,
  type Delivery,
  type Model,
  type ModelAccount,
  type ModelContract,
  type Receipt,
  type Row,
} from './model.ts'
import { fault, textOf } from './fault.ts'
import { accountOf, isLimitMet, judgeLimits, judgeWait } from './limits.ts'
import { isRenewedMuted, isTooLateToConfirm } from './confirmations.ts'
import { noteLinks } from './answer-links.ts'
import { isAboutAnswer, isTooLateToTell, isReaderGone, isUntold, judgeTold } from './answer-mails.ts'
import { judgeNotice, noticeObstacle } from './notice-mails.ts'
import { latestDay, windowOf } from './notice-rules.ts'
import { answered, ending, muted, tooLate } from './expectation.ts'
import { isReminding, isSameLine, keyOf, unreachable, type Expected } from './lines.ts'

const COLUMNS = `reminders.id::float8 as id, account_id as "accountId", contract_id as "contractId", renewal_date::text as "renewalDate", term_number as term, kind,
  offset_days as "offset", due_on::text as day, sent_on::text as "sentOn", recipient, contact_id as "contactId", channel, state, reason, repeats,
  message_id as "messageId", (extract(epoch from planned_at) * 1000)::float8 as "plannedAt",
  (extract(epoch from sending_at) * 1000)::float8 as "sendingAt", waits_for as "waitsFor"`

/**
 * Looks at what is new in the ledger, and at what was not settled yet, but for letters, which are judged when their owners note
 * or withdraw them. Returns the rows that are new.
 */
export async function look(owner: Client, model: Model): Promise<Row[]> {
  const { rows } = await owner.query<Row>(
    `select ${COLUMNS} from reminders
    where (id > $1 or id = any($2::bigint[])) and kind <> 'letter' order by reminders.id`,
    [model.lastRow, [...model.open, ...model.touched]],
  )
  const seen = new Set(rows.map(({ id }) => id))
  for (const id of [...model.open, ...model.touched]) if (!seen.has(id)) noteGone(model, id)
  model.touched.clear()
  return noteRows(model, rows)
}

/**
 * The ledger forgets nothing, but what was planned for a term that is gone because its renewal was undone; also where a customer
 * has changed an answer, so that it was renewed again at once.
 */
export function noteGone(model: Model, id: number): void {
  const row = model.rows.get(id)
  if (!row) return
  const lastTerm = model.undone.get(row.contractId ?? 0) ?? Number.POSITIVE_INFINITY
  if (row.state !== 'planned' || row.term <= lastTerm)
    fault(model, `message ${id} ${textOf(row)}: is no longer in the ledger`, row.contractId)
  model.rows.delete(id)
  model.open.delete(id)
  const others = (model.rowsOf.get(row.contractId ?? 0) ?? []).filter((other) => other !== row)
  model.rowsOf.set(row.contractId ?? 0, others)
}

/** Takes over what the ledger says of these rows, and judges what was skipped. Returns the rows that are new. */
export function noteRows(model: Model, rows: Row[]): Row[] {
  const skipped = rows.filter((row) => row.state === 'skipped' && isUnskipped(model.rows.get(row.id)))
  const waited = new Set(skipped.filter(({ id }) => model.rows.get(id)?.waitsFor).map(({ id }) => id))
  model.statesBefore = new Map(rows.map(({ id }) => [id, model.rows.get(id)?.state ?? 'planned']))
  const fresh = rows.filter((row) => note(model, row))
  model.skipped = skipped
  for (const { id } of skipped) judgeSkip(model, id, waited.has(id))
  return fresh
}

function isUnskipped(row: Row | undefined): boolean {
  return row !== undefined && row.state !== 'skipped'
}

/** True where the row is new. */
function note(model: Model, row: Row): boolean {
  model.lastRow = Math.max(model.lastRow, row.id)
  if (row.state === 'planned' || row.state === 'sending') model.open.add(row.id)
  else model.open.delete(row.id)
  if (row.messageId !== null && model.lostMails.has(row.messageId)) model.incidents.add(row.id)
  if (row.repeats > 0 && !model.incidents.has(row.id)) fault(model, `message ${row.id}: repeated without a reason`)
  const before = model.rows.get(row.id)
  if (row.state === 'planned' && row.waitsFor && row.waitsFor !== before?.waitsFor) judgeWait(model, row)
  if (before) {
    const isRenewed =
      row.kind === 'confirmation' && model.renewals.some(({ contract }) => contract.id === row.contractId)
    const isReminded = row.kind === 'manual' && model.reminded.has(before.contractId ?? 0)
    if (
      before.state === 'skipped' &&
      row.state === 'planned' &&
      !model.undone.has(before.contractId ?? 0) &&
      !model.byHand.has(row.id) &&
      !isRenewed &&
      !isReminded
    )
      if (before.reason !== 'by_hand') fault(model, `message ${row.id}: is planned again`, before.contractId)
    if (before.state !== 'sent' && row.state === 'sent' && row.channel === 'in_app') refuseNoticeInTrash(model, before)
    if (before.state === 'skipped' && row.state === 'planned') model.resumed.add(row.id)
    if (isUncertain(before) && row.state === 'bounced') model.bouncedUnsure.add(row.id)
    if (textOf(before) !== textOf(row)) remember(model, before.contractId, `message ${row.id}: ${textOf(row)}`)
    // Whose contract it was is remembered, also when that is deleted.
    Object.assign(before, row, { contractId: before.contractId })
    return false
  }
  remember(model, row.contractId, `message ${row.id}: ${textOf(row)}`)
  row.plannedFor = row.contactId
  model.rows.set(row.id, row)
  if (row.contractId !== null) model.rowsOf.set(row.contractId, [...(model.rowsOf.get(row.contractId) ?? []), row])
  return true
}

function refuseNoticeInTrash(model: Model, row: Row): void {
  if (model.contracts.get(row.contractId ?? 0)?.deletion)
    fault(model, `message ${row.id} ${textOf(row)}: its contract is in the trash`, row.contractId)
}

/** What was to be sent and is not, for a reason that must be true. */
function judgeSkip(model: Model, id: number, hasWaited: boolean): void {
  const row = model.rows.get(id)
  const contract = model.contracts.get(row?.contractId ?? 0)
  if (!row || !contract || row.reason === 'by_hand') return
  const today = dayAt(model.now, contract.account.timeZone)
  const { enabled, email, inApp, reminderDays, followUpDays } = wishesOf(contract)
  const isConfirmation = row.kind === 'confirmation'
  const isReminder = isReminding(row.kind)
  // A notice is wanted by the rule, and what is about an answer by whoever gave it.
  const isUnwanted = isConfirmation
    ? !contract.account.confirms
    : isReminder && (!enabled || (row.recipient === 'owner' && !(row.channel === 'email' ? email : inApp)))
  const newer = [
    ...reminderDays.map((offset) => daysLater(contract.renewalDate, -offset)),
    ...followUpDays.map((offset) => daysLater(contract.renewalDate, offset)),
  ].filter((day) => day > row.day && day <= today)
  const holds: Record<string, boolean> = {
    contract_deleted: contract.deletion !== null,
    date_changed: row.renewalDate !== contract.renewalDate && !isConfirmation,
    closed: !isOpen(contract),
    renewed: row.term < contract.term,
    undone: row.term > contract.term,
    ending: ending(contract, row.recipient) !== undefined,
    muted: isConfirmation
      ? isMuted(contract) || isRenewedMuted(model, contract)
      : muted(contract, row.recipient) !== undefined && row.kind !== 'manual',
    answered: isReminder && answered(contract, row.recipient) !== undefined,
    answer_changed: isUntold(contract, row),
    reader_changed: isReaderGone(contract, row),
    noticed: (isReminder || row.kind === 'notice') && isNoticed(model, row, today),
    not_due: row.kind === 'notice' && noticeObstacle(model, contract, today) === 'not_due',
    off: isUnwanted,
    too_late: isLate(model, contract, { row, at: model.now, today }),
    no_access: !contract.account.hasAccess,
    superseded:
      isReminder && (newer.length > 0 || row.renewalDate !== contract.renewalDate || isOvertaken(model, row, today)),
    manual: isReminder && row.kind !== 'manual' && isReplacedByHand(model, row, today),
  }
  // A reminder by hand does not wait for another day.
  const isRefused = row.kind === 'manual' && isLimitMet(model, row)
  holds['limited'] = isRefused || (hasWaited && ENDING_A_WAIT.some((reason) => holds[reason]))
  holds['unverified'] = holds['too_late'] === true && row.recipient === 'customer' && !contract.account.isVerified
  noteStopped(model, row)
  if (row.kind !== 'manual' && ENDED_BY_DELETION.has(row.reason ?? '')) contract.deletion?.skipped.push(id)
  if (row.kind !== 'manual' && ENDED_BY_DECISION.has(row.reason ?? '')) contract.decisions.at(-1)?.skipped.push(id)
  const isTrue = holds[row.reason ?? ''] ?? unreachable(contract, row) === row.reason
  if (!isTrue)
    fault(model, `message ${row.id} ${textOf(row)}: was skipped as ${row.reason}, which is not so`, row.contractId)
}

const ENDED_BY_DECISION = new Set(['renewed', 'closed', 'ending'])
const ENDED_BY_DELETION = new Set(['contract_deleted', 'limited'])
const ENDING_A_WAIT = [
  'contract_deleted',
  'superseded',
  'too_late',
  'date_changed',
  'closed',
  'renewed',
  'ending',
  'answered',
]

const GIVEN = new Set(['sending', 'sent', 'delivered'])

/** Also where it has failed only since the ledger was last read. */
function isGivenOrTried({ statesBefore }: Model, { id, state }: Row): boolean {
  return GIVEN.has(state) || statesBefore.get(id) === 'sending'
}

/** Also one of which nobody knows whether it was sent. */
function isOf({ day, sentOn, reason }: Row, today: string): boolean {
  return day === today || sentOn === today || reason === 'unknown'
}

/** Also one that was tried today, whatever came of it. */
function isOnItsWay(model: Model, row: Row, today: string): boolean {
  const timeZone = model.accounts.find(({ id }) => id === row.accountId)?.timeZone
  const isTried = timeZone !== undefined && row.sendingAt !== null && dayAt(row.sendingAt, timeZone) === today
  return model.open.has(row.id) || isOf(row, today) || isTried
}

/** By an answer or a notice. */
function noteStopped(model: Model, { state, reason }: Row): void {
  if (state === 'skipped' && reason === 'noticed') model.notices.counts.noticed += 1
  if (state === 'skipped' && reason === 'answered') model.answers.counts.stopped += 1
}

/** Its reader gets another notice, or one that day. */
function isNoticed(model: Model, row: Row, today: string): boolean {
  return (model.rowsOf.get(row.contractId ?? 0) ?? []).some(
    (other) =>
      other.kind === 'notice' &&
      other.id !== row.id &&
      other.renewalDate === row.renewalDate &&
      other.term === row.term &&
      isSameLine(other, row) &&
      (row.kind === 'notice' ? isGivenOrTried(model, other) : isOnItsWay(model, other, today)),
  )
}

function isLate(
  model: Model,
  contract: ModelContract,
  { row, at, today }: { row: Row; at: number; today: string },
): boolean {
  if (isAboutAnswer(row)) return isTooLateToTell(row, today)
  if (row.kind === 'notice') return noticeObstacle(model, contract, today) === 'too_late'
  if (row.kind === 'manual') return isManualLate(row, at, today)
  if (row.kind === 'confirmation') return isTooLateToConfirm(row, today)
  return tooLate(contract, row, today) !== undefined
}

/** A requested reminder is wanted for one day. */
function isManualLate({ plannedAt, day }: Row, at: number, today: string): boolean {
  return today > day && at - plannedAt > 86_400_000
}

/**
 * Also by one that was put off until a later day, or that a server sent whose clock was ahead. One by hand whose day is over
 * is replaced by whatever was planned after it.
 */
function isOvertaken(model: Model, row: Row, today: string): boolean {
  const isOverdue = row.kind === 'manual' && latestDay(row) < today
  return aboutTheSame(model, row).some(({ kind, state, day, plannedAt }) => {
    const isNewer = day >= row.day || (isOverdue && kind !== 'manual' && plannedAt > row.plannedAt)
    return (isReminding(kind) || kind === 'notice') && state !== 'skipped' && isNewer
  })
}

/** By one of its day or a later one that was sent, or whose sending was or is tried. */
function isReplacedByHand(model: Model, row: Row, today: string): boolean {
  return aboutTheSame(model, row).some((other) => {
    const { kind, day, sentOn } = other
    const isOfThatDay = [day, sentOn ?? day].some((one) => one >= row.day)
    return kind === 'manual' && isOfThatDay && (sentOn !== null || isTriedByHand(model, other, today))
  })
}

/** One that failed, or reached a limit, since the ledger was last read was still to be sent until then. */
function isTriedByHand(model: Model, byHand: Row, today: string): boolean {
  const { id, accountId, recipient, state, reason, day, sendingAt } = byHand
  const before = model.statesBefore.get(id)
  if (state === 'sending' || before === 'sending') return true
  const account = model.accounts.find((one) => one.id === accountId)
  const isHeldUp = recipient === 'customer' && account?.isVerified !== true
  const hasMoved = account !== undefined && hasTravelled(account, model.now)
  const isDue = day <= today || hasMoved || (sendingAt !== null && sendingAt <= model.now)
  if (isHeldUp || !isDue || isManualLate(byHand, model.now, today)) return false
  return state === 'planned' || (before === 'planned' && (state === 'failed' || reason === 'limited'))
}

/** The other messages about a term to the same reader. */
function aboutTheSame(model: Model, row: Row): Row[] {
  const { id, contractId, renewalDate, term } = row
  return (model.rowsOf.get(contractId ?? 0) ?? []).filter(
    (other) => other.id !== id && other.renewalDate === renewalDate && other.term === term && isSameLine(other, row),
  )
}

export interface Planned {
  fresh: Row[]
  expected: Map<string, Expected>
  /** The accounts that were planned in this round. */
  accounts: Set<number>
  /** Nothing went wrong, so that every account must have been. */
  isHealthy: boolean
}

/** What was planned must be what the rules ask for. */
export function judgePlanning(model: Model, { fresh, expected, accounts, isHealthy }: Planned): void {
  const written = new Set<string>()
  for (const row of fresh) {
    const key = keyOf(row.contractId, row)
    written.add(key)
    const wanted = expected.get(key)
    const said = row.state === 'skipped' ? row.reason : 'due'
    noteStopped(model, row)
    if (!wanted) fault(model, `${key}: nobody asked for it, and it is ${row.state}`, row.contractId)
    else if (wanted.fate !== said)
      fault(model, `${key}: should be ${wanted.fate}, and is ${row.state} ${row.reason ?? ''}`, row.contractId)
  }
  for (const [key, { isCertain, contract, kind }] of expected) {
    if (!isCertain || written.has(key)) continue
    // Not every change of a contract has its notices planned the same day.
    if ((isHealthy && kind !== 'notice') || accounts.has(contract.account.id))
      fault(model, `${key}: is due and has no row`, contract.id)
  }
}

/** What reached the mail server must be what the ledger says, to somebody who may be written to. */
export function judgeSending(model: Model, since: number, isHealthy: boolean): void {
  const receipts = model.receipts.slice(since)
  const mails = receipts.map((receipt) => ({ receipt, rows: rowsIn(model, receipt) }))
  for (const { receipt, rows } of mails) judgeReceipt(model, receipt, rows)
  judgeDigests(model, mails)
  judgeLimits(model, receipts)
  for (const id of model.open) {
    if (model.rows.get(id)?.state !== 'sending' || model.incidents.has(id)) continue
    if (isHealthy) fault(model, `message ${id}: was left half-sent though nothing went wrong`)
    else model.incidents.add(id)
  }
}

function rowsIn(model: Model, { messageId, at }: Receipt): Row[] {
  const accountId = accountOf(model, messageId)
  return [...model.rows.values()].filter(
    (row) => row.sendingAt === at && row.messageId === messageId && row.accountId === accountId,
  )
}

function judgeReceipt(model: Model, receipt: Receipt, rows: Row[]): void {
  const { messageId, to, text } = receipt
  if (rows.length > 1) model.mailCounts.digests += 1
  if (rows.length === 0) return fault(model, `mail ${messageId} to ${to}: not in the ledger`)
  noteLinks(model, receipt, rows)
  for (const row of rows) {
    judgeDelivery(model, receipt, row)
    const contract = model.contracts.get(row.contractId ?? 0)
    if (rows.length > 1 && contract && !text.includes(`$${contract.amount.toLocaleString('en-US')}.00 `))
      fault(model, `mail ${messageId} to ${to}: does not mention contract ${row.contractId}`, row.contractId)
  }
}

function judgeDelivery(model: Model, { to, at }: Receipt, row: Row): void {
  const contract = model.contracts.get(row.contractId ?? 0)
  if (!contract) return fault(model, `message ${row.id} to ${to}: no such contract`)
  const what = `message ${row.id} to the ${row.recipient} of contract ${contract.id}`
  const { account } = contract
  remember(model, contract.id, `message ${row.id}: received`)
  const today = dayAt(at, account.timeZone)
  const address = row.recipient === 'customer' ? addressOf(contract, row) : account.ownerEmail
  if (to.toLowerCase() !== address?.toLowerCase())
    fault(model, `${what}: went to ${to}, not to ${address}`, contract.id)
  const isConfirmation = row.kind === 'confirmation'
  const isTold = isAboutAnswer(row)
  if (isTold) judgeTold(model, contract, row)
  if (row.kind === 'notice') judgeNotice(model, contract, { row, today })
  if (!isOpen(contract) && !isTold) fault(model, `${what}: the contract is not open`, contract.id)
  if (contract.deletion) fault(model, `${what}: the contract is in the trash`, contract.id)
  if (row.renewalDate !== contract.renewalDate && !isConfirmation && !isTold)
    fault(model, `${what}: about a date that was changed`, contract.id)
  if (row.term !== contract.term && !isTold) fault(model, `${what}: about term ${row.term}, which is over`, contract.id)
  const obstacle = unreachable(contract, row)
  if (obstacle) fault(model, `${what}: ${obstacle}`, contract.id)
  if (row.state === 'skipped' || row.state === 'planned')
    fault(model, `${what}: was sent, and the row says ${row.state}`, contract.id)
  if (row.kind !== 'manual') {
    if (!account.hasAccess) fault(model, `${what}: there is no subscription`, contract.id)
    const { enabled, email } = wishesOf(contract)
    const isUnwanted = !enabled || (row.recipient === 'owner' && !email)
    if (isUnwanted && isReminding(row.kind)) fault(model, `${what}: nobody wants it`, contract.id)
    if (isLate(model, contract, { row, at, today })) fault(model, `${what}: too late`, contract.id)
    if (isConfirmation) model.decided.confirmed += 1
    // What may have been sent is repeated also where its owner has moved west since.
    const isRepeat = row.repeats > 0 && hasTravelled(account, at)
    const isEarly = row.day > today && !model.byHand.has(row.id) && !isTold && !isRepeat
    if (isEarly) fault(model, `${what}: before its day`, contract.id)
    if (ending(contract, row.recipient) && !isTold) fault(model, `${what}: the contract is set to end`, contract.id)
    if (muted(contract, row.recipient) && !isTold)
      fault(model, `${what}: emails about this date are turned off`, contract.id)
  } else if (isManualLate(row, at, today)) fault(model, `${what}: too late`, contract.id)
  if (isReminding(row.kind) && answered(contract, row.recipient))
    fault(model, `${what}: the customer has answered`, contract.id)
  if (row.recipient === 'customer' && !account.isVerified)
    fault(model, `${what}: the owner's address is not verified`, contract.id)
  const delivery = { rowId: row.id, at, readAt: at - model.clockError }
  model.deliveries.push(delivery)
  refuseBurst(model, delivery, { row, what, to })
}

interface JudgedMail {
  receipt: Receipt
  rows: Row[]
}

/** One email looks at no more messages than this, including those that are then skipped. */
const MOST_IN_AN_EMAIL = 100

/** What is due to one reader at one time is one email; what may have been sent before is repeated as it was. */
function judgeDigests(model: Model, mails: JudgedMail[]): void {
  const planned = mails.filter(({ rows }) => rows.every(({ repeats }) => repeats === 0))
  const byReader = Map.groupBy(planned, ({ receipt, rows: [row] }) => {
    const together = row?.kind === 'manual' ? 'reminders by hand' : 'messages'
    const kind = row && isAlone(row) ? `message ${row.id}` : together
    return `${row?.accountId} ${receipt.to.toLowerCase()}: ${kind}`
  })
  for (const [reader, several] of byReader) {
    const sent = several.reduce((sum, { rows }) => sum + rows.length, 0)
    const [first] = several.flatMap(({ rows }) => rows)
    const count = sent + skippedBesides(model, first) + sentBesides(planned, first)
    if (several.length > Math.ceil(count / MOST_IN_AN_EMAIL))
      fault(
        model,
        `${several.length} emails at once to ${reader}: ${several.map(({ rows }) => rows.length).join(' and ')}`,
      )
  }
}

/** Each is an email of its own. */
function isAlone(row: Row): boolean {
  return isAboutAnswer(row) || row.kind === 'notice'
}

/** Emails of their own that were looked at together with an owner's others. */
function sentBesides(mails: JudgedMail[], sent: Row | undefined): number {
  if (sent?.recipient !== 'owner') return 0
  const rows = mails.flatMap((mail) => mail.rows)
  return rows.filter((row) => row.accountId === sent.accountId && row.recipient === 'owner' && isAlone(row)).length
}

/** Emails to an owner that were skipped while this one was sent; those to customers are not counted together. */
function skippedBesides(model: Model, sent: Row | undefined): number {
  if (sent?.recipient !== 'owner') return 0
  return model.skipped.filter(({ accountId, recipient, channel, day, reason }) => {
    const isSame = accountId === sent.accountId && recipient === 'owner' && channel === 'email'
    return isSame && day <= (sent.sentOn ?? day) && reason !== 'by_hand'
  }).length
}

/**
 * On one day, one message about a contract's term reaches somebody, however often that one is repeated. It is the same
 * day where both the servers and the reader say so: what a clock ahead sent "tomorrow" was read today.
 */
function refuseBurst(
  model: Model,
  delivery: Delivery,
  { row, what, to }: { row: Row; what: string; to: string },
): void {
  const account = model.contracts.get(row.contractId ?? 0)?.account
  if (!account) return
  refuseSecondCopy(model, row, { what, to })
  // A renewal is confirmed, and an answer told, whatever else was sent; a reminder by hand may follow.
  if (row.kind === 'confirmation' || isAboutAnswer(row)) return
  const line = [row.contractId, row.renewalDate, row.term, row.recipient].join(' ')
  const earlier = model.receiptsOf.get(line) ?? []
  model.receiptsOf.set(line, [...earlier, delivery])
  if (hasTravelled(account, delivery.at)) return
  const today = dayAt(delivery.at, account.timeZone)
  const readOn = dayAt(delivery.readAt, account.timeZone)
  const other = earlier.find(
    ({ rowId, at, readAt }) =>
      rowId !== row.id &&
      // Where another contact was made the first one, what was sent to either has moved along, or is not its own.
      model.rows.get(rowId)?.contactId === row.contactId &&
      !model.rows.get(rowId)?.hasOtherReader &&
      dayAt(at, account.timeZone) === today &&
      dayAt(readAt, account.timeZone) === readOn &&
      !isUncertain(model.rows.get(rowId)),
  )
  if (other && !mayFollow(model, row, { other: model.rows.get(other.rowId), today }))
    fault(
      model,
      `${what}: the second on ${today}: ${textOf(row)} after ${textOf(model.rows.get(other.rowId))}`,
      row.contractId,
    )
}

/** The day of a journey has as many hours as one likes. */
function hasTravelled({ zoneChangedAt }: ModelAccount, at: number): boolean {
  return at - zoneChangedAt < 2 * 86_400_000
}

/** On the day of a notice its owner may remind by hand, and a notice is sent besides if its window closes. */
function mayFollow(model: Model, row: Row, { other, today }: { other: Row | undefined; today: string }): boolean {
  const isOwn = (one: Row) => one.kind === 'manual' || model.byHand.has(one.id)
  if (!other || (row.kind !== 'notice' && other.kind !== 'notice')) return false
  const contract = model.contracts.get(row.contractId ?? 0)
  const isLastDay = row.kind === 'notice' && contract !== undefined && windowOf(contract)?.through === today
  return isOwn(row) || isOwn(other) || isLastDay
}

/** Whoever has read about an occasion does not read about it again, also as another contact of the customer. */
function refuseSecondCopy(model: Model, row: Row, { what, to }: { what: string; to: string }): void {
  const { id, contractId, renewalDate, term, kind, offset } = row
  if (contractId === null || kind === 'manual') return
  const read = model.readBy.get(contractId) ?? new Map<string, number>()
  model.readBy.set(contractId, read)
  const key = [renewalDate, term, kind, offset, to.toLowerCase()].join(' ')
  const first = read.get(key) ?? id
  read.set(key, id)
  if (first !== id)
    fault(model, `${what}: again to ${to}: ${textOf(row)} after ${textOf(model.rows.get(first))}`, contractId)
}

/** Given up without knowing whether it was sent. Treating it as failed and sending again is correct. */
function isUncertain(row: Row | undefined): boolean {
  return row?.state === 'failed' && row.reason === 'unknown'
}

/** At the end nothing may be lost, repeated, or still wait for anything but a day that its owner chose. */
export function judgeEnd(model: Model): void {
  const times = new Map<number, number>()
  for (const { rowId } of model.deliveries) times.set(rowId, (times.get(rowId) ?? 0) + 1)
  const arrived = new Set(model.deliveries.map(({ rowId }) => model.rows.get(rowId)?.messageId))
  for (const { id, contractId, state, repeats, channel, day, accountId, waitsFor, messageId } of model.rows.values()) {
    const count = times.get(id) ?? 0
    const most = 1 + repeats + (model.byHand.get(id) ?? 0)
    if (count > most)
      fault(model, `message ${id}: reached the mail server ${count} times, and the ledger allows ${most}`, contractId)
    const isSaidSent = ['sent', 'delivered', 'bounced'].includes(state) && channel === 'email'
    // What may have been sent has bounced along with the repeat of its email, which others of its messages were in.
    const isOfRepeat = model.bouncedUnsure.has(id) && arrived.has(messageId)
    if (isSaidSent && count === 0 && !isOfRepeat)
      fault(model, `message ${id}: the ledger says ${state}, and nothing was sent`, contractId)
    const timeZone = model.accounts.find((account) => account.id === accountId)?.timeZone ?? 'UTC'
    const isPutOff = day > daysLater(dayAt(model.now, timeZone), -1)
    if ((state === 'planned' || state === 'sending') && !isPutOff && !waitsFor)
      fault(model, `message ${id}: still ${state}`, contractId)
  }
}
