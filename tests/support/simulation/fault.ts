import { dayAt, type Model, type Row } from './model.ts'

export function textOf(row: Row | undefined): string {
  if (!row) return 'none'
  const { recipient, contactId, channel, kind, offset, renewalDate, day, state, reason, repeats } = row
  return [
    `to ${recipient}${contactId > 0 ? ` (contact ${contactId})` : ''} by ${channel}, ${kind} ${offset} of ${renewalDate} due ${day}: ${state}`,
    ...(reason ? [reason] : []),
    ...(repeats > 0 ? [`repeats ${repeats}`] : []),
  ].join(' ')
}

/** As much of a contract's history as explains what has just gone wrong. */
const LINES = 30

export function fault(model: Model, text: string, contractId?: number | null): void {
  const account = model.accounts[0]?.timeZone ?? 'UTC'
  const history = model.history.get(contractId ?? 0)?.slice(-LINES) ?? []
  model.faults.push([`${dayAt(model.now, account)}: ${text}`, ...history].join('\n  '))
}
