import { isAnswered } from './answer-rules.ts'
import { actsByItself } from './renewal-rules.ts'
import { expectedNotices } from './notice-mails.ts'
import { latestDay } from './notice-rules.ts'
import {
  dayAt,
  daysLater,
  hourAt,
  isMuted,
  isOpen,
  readersOf,
  wishesOf,
  type Model,
  type ModelAccount,
  type ModelContract,
  type Row,
} from './model.ts'
import { isReminding, isSameLine, keyOf, unreachable, type Expected } from './lines.ts'

const REMINDERS = [30, 14, 7, 3, 1]
const FOLLOW_UPS = [1, 3, 7, 14, 30]
/** What fell due longer ago helps nobody. */
const OLDEST_DAYS = 60

const REPLACED_BY = { hand: 'manual', newer: 'superseded' }

type Asked = Pick<Expected, 'offset' | 'day'> & { kind: 'reminder' | 'follow_up' }

/** What an account's planning at this moment has to write into the ledger, and nothing else; by its key. */
export function expectedOf(model: Model, account: ModelAccount, contracts: ModelContract[]): Map<string, Expected> {
  const expected = new Map<string, Expected>()
  if (!account.hasAccess || hourAt(model.now, account.timeZone) < account.hour) return expected
  const today = dayAt(model.now, account.timeZone)
  const oldest = daysLater(today, -OLDEST_DAYS)
  const from = [account.plannedDay > today ? today : account.plannedDay, oldest].toSorted().at(-1) ?? today
  const asked = askedFor({ from, today })
  const notices = expectedNotices(model, account, contracts)
  for (const notice of notices) {
    const { contract } = notice
    expected.set(keyOf(contract.id, { ...notice, renewalDate: contract.renewalDate, term: contract.term }), notice)
  }
  const noticesOf = Map.groupBy(notices, ({ contract }) => contract)
  for (const contract of contracts) {
    const occasions = asked.get(contract.renewalDate)
    if (!occasions || !isOpen(contract) || isAboutToAct(contract, today)) continue
    for (const one of messagesOf(model, contract, { occasions, today, notices: noticesOf.get(contract) ?? [] })) {
      const isCertain = one.day >= account.plannedDay
      expected.set(keyOf(contract.id, { ...one, renewalDate: contract.renewalDate, term: contract.term }), {
        ...one,
        since: contract.since,
        isCertain,
      })
    }
  }
  return expected
}

/** It is about to be renewed, to expire or to end, where a killed process has not done that yet. */
function isAboutToAct(contract: ModelContract, today: string): boolean {
  return actsByItself(contract) && (contract.endsOn ?? contract.renewalDate) <= today
}

/** On each day, for which renewal dates somebody could want a message; by renewal date, the earliest day first. */
function askedFor({ from, today }: { from: string; today: string }): Map<string, Asked[]> {
  const asked = new Map<string, Asked[]>()
  for (let day = from; day <= today; day = daysLater(day, 1)) {
    const note = (kind: Asked['kind'], offset: number) => {
      const date = daysLater(day, kind === 'reminder' ? offset : -offset)
      asked.set(date, [...(asked.get(date) ?? []), { kind, offset, day }])
    }
    for (const offset of REMINDERS) note('reminder', offset)
    for (const offset of FOLLOW_UPS) note('follow_up', offset)
  }
  return asked
}

interface Moment {
  occasions: Asked[]
  today: string
  /** That are planned before. */
  notices: Expected[]
}

function messagesOf(
  model: Model,
  contract: ModelContract,
  { occasions, today, notices }: Moment,
): Omit<Expected, 'since' | 'isCertain'>[] {
  const wishes = wishesOf(contract)
  if (!wishes.enabled) return []
  const since = dayAt(contract.since, contract.account.timeZone)
  const wanted = occasions.filter(
    ({ kind, offset, day }) =>
      day >= since && (kind === 'reminder' ? wishes.reminderDays : wishes.followUpDays).includes(offset),
  )
  const owner = { recipient: 'owner', contactId: 0, from: '' }
  const lines = [
    ...readersOf(contract.customer).map(({ id, from }) => {
      return { recipient: 'customer', contactId: id, channel: 'email', from }
    }),
    ...(wishes.email ? [{ ...owner, channel: 'email' }] : []),
    ...(wishes.inApp ? [{ ...owner, channel: 'in_app' }] : []),
  ]
  const newest = wanted.at(-1)
  return lines.flatMap(({ from, ...line }) => {
    const past = (model.rowsOf.get(contract.id) ?? []).filter(
      (row) => isAboutTerm(row, contract) && isSameLine(row, line),
    )
    return wanted
      .filter(({ day }) => day >= from)
      .filter(({ kind, offset }) => !past.some((row) => row.kind === kind && row.offset === offset))
      .map((one) => {
        const counting = past.filter(
          (row) =>
            row.state !== 'skipped' &&
            row.state !== 'failed' &&
            latestDay(row) >= one.day &&
            !isOverdueByHand(row, today),
        )
        const later = counting.filter(({ kind }) => isReminding(kind))
        const isNoticed =
          notices.some((notice) => isSameLine(notice, line)) ||
          counting.some(({ kind, day, sentOn }) => kind === 'notice' && day <= today && (sentOn ?? '') <= today)
        const isConfirmed = counting.some(
          ({ kind, day, sentOn }) => kind === 'confirmation' && day <= today && (sentOn ?? '') <= today,
        )
        const isOvertaken = newest !== undefined && newest.day > one.day
        const overtaken = isOvertaken ? 'superseded' : undefined
        const byHand = later.find((row) => row.kind === 'manual' && !isReplaced(row, { notices, today }))
        const newer = later.length > 0 ? REPLACED_BY.newer : undefined
        const fate =
          (byHand && REPLACED_BY.hand) ??
          (isNoticed ? 'noticed' : newer) ??
          (isConfirmed ? 'confirmed' : undefined) ??
          overtaken ??
          tooLate(contract, one, today) ??
          ending(contract, line.recipient) ??
          answered(contract, line.recipient) ??
          muted(contract, line.recipient) ??
          unreachable(contract, line) ??
          'due'
        return { ...one, ...line, contract, fate }
      })
  })
}

/** It may be too late to be sent, and what is planned replaces it. */
function isOverdueByHand(row: Row, today: string): boolean {
  return row.kind === 'manual' && row.state === 'planned' && latestDay(row) < today
}

/** What waits to be sent is replaced by a notice to the same reader, which is planned before reminders are. */
function isReplaced(row: Row, { notices, today }: Pick<Moment, 'notices' | 'today'>): boolean {
  return row.state === 'planned' && row.day <= today && notices.some((notice) => isSameLine(notice, row))
}

export function isAboutTerm(row: { renewalDate: string; term: number }, contract: ModelContract): boolean {
  return row.renewalDate === contract.renewalDate && row.term === contract.term
}

/** Whoever leaves is not reminded to stay. */
export function ending({ endsOn }: ModelContract, recipient: string): string | undefined {
  return endsOn !== null && recipient === 'customer' ? 'ending' : undefined
}

/** Whoever has answered is not reminded until the owner has decided. */
export function answered(contract: ModelContract, recipient: string): string | undefined {
  return recipient === 'customer' && isAnswered(contract) ? 'answered' : undefined
}

export function muted(contract: ModelContract, recipient: string): string | undefined {
  return isMuted(contract) && recipient === 'customer' ? 'muted' : undefined
}

export function tooLate({ renewalDate }: ModelContract, { kind, day }: { kind: string; day: string }, today: string) {
  const isTooLate = kind === 'reminder' ? today > renewalDate : today > daysLater(day, 30)
  return isTooLate ? 'too_late' : undefined
}
