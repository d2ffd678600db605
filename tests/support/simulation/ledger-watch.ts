import type { Client } from 'pg'
import { daysLater, dayAt, isOpen, wishesOf, type Model, type Receipt, type Row } from './model.ts'
import { keyOf, tooLate, unreachable, type Expected } from './expectation.ts'

const COLUMNS = `id, account_id as "accountId", contract_id as "contractId", renewal_date::text as "renewalDate", kind,
  offset_days as "offset", due_on::text as day, sent_on::text as "sentOn", recipient, channel, state, reason, repeats`

/** Looks at what is new in the ledger, and at what was not settled yet. Answers the rows that are new. */
export async function look(owner: Client, model: Model): Promise<Row[]> {
  const { rows } = await owner.query<Row>(
    `select ${COLUMNS} from reminders where id > $1 or id = any($2::int[]) order by id`,
    [model.lastRow, [...model.open, ...model.touched]],
  )
  model.touched.clear()
  return rows.filter((row) => note(model, row))
}

/** True where the row is new. */
function note(model: Model, row: Row): boolean {
  model.lastRow = Math.max(model.lastRow, row.id)
  if (row.state === 'planned' || row.state === 'sending') model.open.add(row.id)
  else model.open.delete(row.id)
  if (row.repeats > 0 && !model.incidents.has(row.id)) fault(model, `message ${row.id}: repeated without a reason`)
  const before = model.rows.get(row.id)
  if (before) {
    if (before.state !== 'skipped' && row.state === 'skipped')
      judgeSkip(model, { ...row, contractId: before.contractId })
    // Whose contract it was is remembered, also when that is deleted.
    Object.assign(before, row, { contractId: before.contractId })
    return false
  }
  model.rows.set(row.id, row)
  if (row.contractId !== null) model.rowsOf.set(row.contractId, [...(model.rowsOf.get(row.contractId) ?? []), row])
  return true
}

/** What was to be sent and is not, for a reason that must be true. */
function judgeSkip(model: Model, row: Row): void {
  const contract = model.contracts.get(row.contractId ?? 0)
  if (!contract || row.reason === 'by_hand') return
  const today = dayAt(model.now, contract.account.timeZone)
  const { enabled, email, inApp, reminderDays, followUpDays } = wishesOf(contract)
  const isUnwanted = !enabled || (row.recipient === 'owner' && !(row.channel === 'email' ? email : inApp))
  const newer = [
    ...reminderDays.map((offset) => daysLater(contract.renewalDate, -offset)),
    ...followUpDays.map((offset) => daysLater(contract.renewalDate, offset)),
  ].filter((day) => day > row.day && day <= today)
  const truths: Record<string, boolean> = {
    contract_deleted: contract.isDeleted,
    date_changed: row.renewalDate !== contract.renewalDate,
    closed: !isOpen(contract),
    off: isUnwanted,
    too_late: tooLate(contract, row, today) !== undefined,
    no_access: !contract.account.hasAccess,
    superseded: newer.length > 0 || row.renewalDate !== contract.renewalDate,
  }
  const isTrue = truths[row.reason ?? ''] ?? unreachable(contract, row) === row.reason
  if (!isTrue) fault(model, `message ${row.id}, ${textOf(row)}: was skipped as ${row.reason}, which is not so`)
}

export interface Planned {
  fresh: Row[]
  expected: Map<string, Expected>
  /** The accounts that were planned in this turn. */
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
    if (!wanted) fault(model, `${key}: nobody asked for it, and it is ${row.state}`)
    else if (wanted.fate !== said)
      fault(model, `${key}: should be ${wanted.fate}, and is ${row.state} ${row.reason ?? ''}`)
  }
  for (const [key, { isCertain, contract }] of expected) {
    if (!isCertain || written.has(key)) continue
    if (isHealthy || accounts.has(contract.account.id)) fault(model, `${key}: is due and has no row`)
  }
}

/** What reached the mail server must be what the ledger says, to somebody who may be written to. */
export function judgeSending(model: Model, since: number, isHealthy: boolean): void {
  for (const receipt of model.receipts.slice(since)) judgeReceipt(model, receipt)
  for (const id of model.open) {
    if (model.rows.get(id)?.state !== 'sending' || model.incidents.has(id)) continue
    if (isHealthy) fault(model, `message ${id}: was left half-sent though nothing went wrong`)
    else model.incidents.add(id)
  }
}

function judgeReceipt(model: Model, receipt: Receipt): void {
  const { rowId, to, at } = receipt
  const row = model.rows.get(rowId)
  const contract = model.contracts.get(row?.contractId ?? 0)
  if (!row || !contract) return fault(model, `message ${rowId} to ${to}: not in the ledger`)
  const what = `message ${rowId} to the ${row.recipient} of contract ${contract.id}`
  const { account } = contract
  const today = dayAt(at, account.timeZone)
  const address = row.recipient === 'customer' ? contract.customer.email : account.ownerEmail
  if (to !== address) fault(model, `${what}: went to ${to}, not to ${address}`)
  if (!isOpen(contract)) fault(model, `${what}: the contract is not open`)
  if (row.renewalDate !== contract.renewalDate) fault(model, `${what}: about a date that was changed`)
  const hindrance = unreachable(contract, row)
  if (hindrance) fault(model, `${what}: ${hindrance}`)
  if (row.state === 'skipped' || row.state === 'planned')
    fault(model, `${what}: was sent, and the row says ${row.state}`)
  if (row.kind !== 'manual') {
    if (!account.hasAccess) fault(model, `${what}: there is no subscription`)
    const { enabled, email } = wishesOf(contract)
    if (!enabled || (row.recipient === 'owner' && !email)) fault(model, `${what}: nobody wants it`)
    if (tooLate(contract, row, today)) fault(model, `${what}: too late`)
  }
  refuseBurst(model, receipt, { row, what })
}

/** On one day, one message about a contract's term reaches somebody, however often that one is repeated. */
function refuseBurst(model: Model, receipt: Receipt, { row, what }: { row: Row; what: string }): void {
  const account = model.contracts.get(row.contractId ?? 0)?.account
  if (!account) return
  const line = [row.contractId, row.renewalDate, row.recipient].join(' ')
  const earlier = model.receiptsOf.get(line) ?? []
  model.receiptsOf.set(line, [...earlier, receipt])
  // The day of a journey has as many hours as one likes.
  if (receipt.at - account.zoneChangedAt < 2 * 86_400_000) return
  const today = dayAt(receipt.at, account.timeZone)
  const other = earlier.find(({ rowId, at }) => rowId !== row.id && dayAt(at, account.timeZone) === today)
  if (other)
    fault(model, `${what}: the second on ${today}: ${textOf(row)} after ${textOf(model.rows.get(other.rowId))}`)
}

/** At the end nothing may be lost, repeated, or still wait for anything but a day that its owner chose. */
export function judgeEnd(model: Model): void {
  const times = new Map<number, number>()
  for (const { rowId } of model.receipts) times.set(rowId, (times.get(rowId) ?? 0) + 1)
  for (const { id, state, repeats, channel, day, accountId } of model.rows.values()) {
    const count = times.get(id) ?? 0
    const most = 1 + repeats + (model.byHand.get(id) ?? 0)
    if (count > most)
      fault(model, `message ${id}: reached the mail server ${count} times, and the ledger admits ${most}`)
    const isSaidSent = ['sent', 'delivered', 'bounced'].includes(state) && channel === 'email'
    if (isSaidSent && count === 0) fault(model, `message ${id}: the ledger says ${state}, and nothing was sent`)
    const timeZone = model.accounts.find((account) => account.id === accountId)?.timeZone ?? 'UTC'
    const isPutOff = day > daysLater(dayAt(model.now, timeZone), -1)
    if ((state === 'planned' || state === 'sending') && !isPutOff) fault(model, `message ${id}: still ${state}`)
  }
}

function textOf(row: Row | undefined): string {
  return row ? [row.kind, row.offset, row.renewalDate, row.day, row.state, `repeats ${row.repeats}`].join(' ') : 'none'
}

export function fault(model: Model, text: string): void {
  const account = model.accounts[0]?.timeZone ?? 'UTC'
  model.faults.push(`${dayAt(model.now, account)}: ${text}`)
}
