import { fault } from './fault.ts'
import { addressOf, dayAt, type Model, type Receipt, type Row } from './model.ts'

const DAY_MS = 86_400_000

/** No more than the limits allow reached the customers on any day, in UTC. */
export function judgeLimits(model: Model, receipts: Receipt[]): void {
  const { limits } = model.mailCounts
  for (const receipt of receipts) {
    const accountId = accountOf(model, receipt.messageId)
    if (!isToCustomer(model, receipt.to)) continue
    const day = dayAt(receipt.at, 'UTC')
    const sameDay = model.receipts.filter((one) => isSameDay(one, receipt) && isToCustomer(model, one.to))
    const toSame = sameDay.filter(({ to }) => to.toLowerCase() === receipt.to.toLowerCase()).length
    if (toSame > limits.toAddress) fault(model, `${toSame} emails to ${receipt.to} on ${day}`)
    const fromSame = sameDay.filter((one) => accountOf(model, one.messageId) === accountId).length
    if (fromSame > limits.ofPaying) fault(model, `${fromSame} emails to customers of account ${accountId} on ${day}`)
  }
}

/** A server that was killed, or cut off, may have counted what it did not send; so before its waits are judged. */
export function noteOutage(model: Model): void {
  model.mailCounts.uncertainDays.add(dayAt(model.now, 'UTC'))
}

/** A message only waits for a limit that was met, though perhaps by what the mail server did not take in the end. */
export function judgeWait(model: Model, row: Row): void {
  model.mailCounts.held += 1
  const day = dayAt(model.now, 'UTC')
  if (model.mailCounts.uncertainDays.has(day)) return
  const { count, limit } = counted(model, row, row.waitsFor)
  if (count < limit) fault(model, `message ${row.id}: waits for ${row.waitsFor} after ${count} emails`, row.contractId)
}

/** Whether a limit may keep it from being sent today. */
export function isLimitMet(model: Model, row: Row): boolean {
  const met = [counted(model, row, 'address_limit'), counted(model, row, 'account_limit')]
  const isUncertain = model.mailCounts.uncertainDays.has(dayAt(model.now, 'UTC'))
  return isUncertain || met.some(({ count, limit }) => count >= limit)
}

function counted(model: Model, row: Row, waitsFor: string | null): { count: number; limit: number } {
  const { limits, tries } = model.mailCounts
  const sameDay = tries.filter((one) => isSameDay(one, { at: model.now }) && isToCustomer(model, one.to))
  const contract = model.contracts.get(row.contractId ?? 0)
  const address = contract && addressOf(contract, row)
  if (waitsFor === 'address_limit')
    return { count: sameDay.filter(({ to }) => to.toLowerCase() === address).length, limit: limits.toAddress }
  // Of a row that has not been noted yet, nobody knows whose it is.
  const own = sameDay.filter(({ messageId }) => [row.accountId, undefined].includes(accountOf(model, messageId)))
  return { count: own.length, limit: contract?.account.hasAccess ? limits.ofPaying : limits.ofTrial }
}

/** How many emails have reached customers today: of an account, and of all accounts at each of these addresses. */
export function receivedToday(model: Model, accountId: number, addresses: readonly string[]) {
  const today = model.receipts.filter((one) => isSameDay(one, { at: model.now }) && isToCustomer(model, one.to))
  return {
    ofAccount: today.filter(({ messageId }) => accountOf(model, messageId) === accountId).length,
    toAddress: Math.max(
      0,
      ...addresses.map((address) => today.filter(({ to }) => to.toLowerCase() === address).length),
    ),
  }
}

function isSameDay(one: { at: number }, other: { at: number }): boolean {
  return Math.floor(one.at / DAY_MS) === Math.floor(other.at / DAY_MS)
}

/** Whose email it is, by the row that its Message-ID names; or by the others in it, if that one was withdrawn since. */
export function accountOf(model: Model, messageId: string): number | undefined {
  const [, lead] = /^<reminder-(\d+)\./.exec(messageId) ?? []
  const row = model.rows.get(Number(lead)) ?? [...model.rows.values()].find((other) => other.messageId === messageId)
  return row?.accountId
}

function isToCustomer(model: Model, address: string): boolean {
  return !model.accounts.some(({ ownerEmail }) => ownerEmail === address)
}
