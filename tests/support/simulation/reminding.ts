import { isAnswered } from './answer-rules.ts'
import { fault, textOf } from './fault.ts'
import { receivedToday } from './limits.ts'
import { addressOf, dayAt, isOpen, readersOf, type Model, type ModelContract, type Row } from './model.ts'
import { isReminding, isSameLine, unreachable, type Line } from './lines.ts'

const LIMITS = ['address_limit', 'account_limit']
const DAY_MS = 86_400_000

/** What a reminder about a contract, among those about many, must come to; before the ledger has been looked at. */
export interface Reminding {
  /** Why it is left out; undefined if only a limit may be why. */
  reason: string | undefined
  /** The readers who get it. */
  lines: Line[]
  /** Their addresses that no reminder by hand is waiting for. */
  addresses: string[]
}

export function remindingOf(model: Model, contract: ModelContract, today: string): Reminding {
  if (contract.deletion) return { reason: 'gone', lines: [], addresses: [] }
  const all = readersOf(contract.customer).map(({ id }) => ({ recipient: 'customer', contactId: id, channel: 'email' }))
  const obstacles = all.map((line) => unreachable(contract, line))
  const rows = (model.rowsOf.get(contract.id) ?? []).filter(
    ({ recipient, kind }) => recipient === 'customer' && isReminding(kind),
  )
  const isKnown = (line: Line) =>
    rows.some((row) => isOfToday(row, contract, today) && isSameLine(row, line) && !isOver(row))
  const reached = all.filter((_line, place) => obstacles[place] === undefined)
  const lines = reached.filter((line) => !isKnown(line))
  const waiting = waitingAddresses(model, contract.account.id)
  const addresses = lines.flatMap((line) => addressOf(contract, line) ?? []).filter((one) => !waiting.has(one))
  return { reason: reasonAgainst(contract, { rows, obstacles, isKnown: lines.length === 0, today }), lines, addresses }
}

interface Facts {
  rows: Row[]
  obstacles: (string | undefined)[]
  isKnown: boolean
  today: string
}

function reasonAgainst(contract: ModelContract, { rows, obstacles, isKnown, today }: Facts): string | undefined {
  if (!contract.account.isVerified) return 'unverified'
  if (!isOpen(contract)) return 'closed'
  if (!obstacles.includes(undefined)) return obstacles[0]
  if (isAnswered(contract)) return 'answered'
  if (rows.some(({ sentOn }) => sentOn === today)) return 'sent_today'
  if (rows.some(({ state, day }) => state === 'sending' || (state === 'planned' && day <= today))) return 'on_its_way'
  return isKnown ? 'sent_today' : undefined
}

/** A reminder by hand of the same day, which a clock that was wrong may have sent on another. */
function isOfToday(row: Row, { renewalDate, term }: ModelContract, today: string): boolean {
  const offset = Math.round((Date.parse(renewalDate) - Date.parse(today)) / DAY_MS)
  return row.kind === 'manual' && row.renewalDate === renewalDate && row.term === term && row.offset === offset
}

function isOver({ state }: Row): boolean {
  return state === 'failed' || state === 'skipped'
}

/** Those of reminders by hand that are about to be sent; none about what is in the trash is. */
function waitingAddresses(model: Model, accountId: number): Set<string> {
  const rows = [...model.open].flatMap((id) => model.rows.get(id) ?? [])
  const byHand = rows.filter((row) => row.accountId === accountId && row.kind === 'manual' && row.state === 'planned')
  return new Set(
    byHand.flatMap((row) => {
      const contract = model.contracts.get(row.contractId ?? 0)
      return (contract && !contract.deletion && addressOf(contract, row)) || []
    }),
  )
}

/** Each reader has one reminder, unless the contract was left out; then nobody has. Judged when the ledger has been looked at. */
export function judgeReminded(model: Model, contract: ModelContract, { lines }: Reminding, isReminded: boolean): void {
  const fresh = (model.rowsOf.get(contract.id) ?? []).filter(
    ({ kind, plannedAt }) => kind === 'manual' && plannedAt === model.now,
  )
  const expected = isReminded ? lines : []
  for (const row of fresh)
    if (!expected.some((line) => isSameLine(row, line)))
      fault(model, `message ${row.id} ${textOf(row)}: nobody asked for this reminder`, contract.id)
  for (const line of expected) {
    const rows = fresh.filter((row) => row.state === 'planned' && isSameLine(row, line))
    if (rows.length !== 1)
      fault(model, `contract ${contract.id}: ${rows.length} reminders by hand to ${line.contactId}`, contract.id)
  }
}

/** A limit leaves out what may be over it, and what is. `others`: the addresses of all that were reminded at once. */
export function judgeLimited(
  model: Model,
  contract: ModelContract,
  { addresses, said, others }: { addresses: string[]; said: string | null; others: number },
): void {
  const { limits, tries, uncertainDays } = model.mailCounts
  const day = Math.floor(model.now / DAY_MS)
  const today = tries.filter(({ at }) => Math.floor(at / DAY_MS) === day)
  const isUncertain = uncertainDays.has(dayAt(model.now, 'UTC'))
  const received = receivedToday(model, contract.account.id, addresses)
  const waiting = waitingAddresses(model, contract.account.id)
  // Those over the limit of their address wait for another day, and do not count today; on a day on which nobody knows what
  // was counted, any may be.
  const isOfToday = (address: string) =>
    !isUncertain && today.filter(({ to }) => to.toLowerCase() === address).length < limits.toAddress
  const certain = [...waiting].filter(isOfToday).length
  const isOver = received.ofAccount + certain > limits.ofPaying || received.toAddress >= limits.toAddress
  if (said === 'changed' && addresses.length > 0 && isOver)
    fault(model, `contract ${contract.id}: reminded about, over a limit`, contract.id)
  const most = today.length + waiting.size + others
  const isFar = most <= Math.min(limits.ofPaying, limits.toAddress)
  if (LIMITS.includes(said ?? '') && isFar && uncertainDays.size === 0)
    fault(model, `contract ${contract.id}: left out for ${said}, of ${most} emails`, contract.id)
}
