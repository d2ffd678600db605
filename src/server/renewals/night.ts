import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { ActByItself } from '#shared/domain/renewal.ts'
import type { Decision } from '#server/contracts/decisions.ts'
import type { NewNotification } from '#server/notifications/texts.ts'

/** Beyond this, one notification counts them. */
const MOST_NAMED = 5

/** What happened to a contract by itself. */
export interface Done extends Decision {
  act: ActByItself
  customerName: string
  title: string | null
}

/** What happened in an account in one night, for its notifications. */
export interface Night {
  /** Of the first contracts. */
  named: NewNotification[]
  counts: Record<ActByItself, number>
  /** Contracts whose customers get an email. */
  told: number
}

export function quietNight(): Night {
  return { named: [], counts: { renew: 0, end: 0, expire: 0 }, told: 0 }
}

/** Adds some that were carried out; `told` are the contracts whose customers get an email. */
export function noteDone(night: Night, decisions: readonly Done[], told: ReadonlySet<number>): void {
  for (const done of decisions) {
    night.counts[done.act] += 1
    if (night.named.length < MOST_NAMED) night.named.push(notificationOf(done, told.has(done.after.id)))
  }
  night.told += told.size
}

/** One for each contract, or one that counts them. */
export function notificationsOf({ named, counts, told }: Night): NewNotification[] {
  const { renew: renewed, end: ended, expire: expired } = counts
  if (renewed + ended + expired <= MOST_NAMED) return named
  return [{ kind: 'several_by_themselves', renewed, ended, expired, told }]
}

function notificationOf(
  { act, before, after, closed = [], customerName, title }: Done,
  isTold: boolean,
): NewNotification {
  const { id: contractId, amountCents, renewalCycle, renewalDate } = after
  const contract = { contractId, customerName: withoutDirectionMarks(customerName), title, amountCents, renewalCycle }
  if (act === 'renew') return { kind: 'renewed_by_itself', ...contract, renewalDate, terms: closed.length, isTold }
  if (act === 'expire') return { kind: 'expired_by_itself', ...contract, renewalDate }
  return { kind: 'ended_by_itself', ...contract, wasDecided: before.endsOn !== null }
}
