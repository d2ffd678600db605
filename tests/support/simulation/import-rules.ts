import {
  dayAt,
  hourAt,
  type Cycle,
  type DecidedState,
  type ModelAccount,
  type ModelContract,
  type ModelImport,
  type Undecided,
} from './model.ts'
import { windowOf } from './notice-rules.ts'
import { actsByItself, isOpenAs, settled, type Moment } from './renewal-rules.ts'
import { storedOf } from './stored-decisions.ts'
import { tagKey } from './tags.ts'

/** All time zones are some of these ahead of UTC, or behind. */
const QUARTER_MS = 900_000

/** What a row of a file says; blank cells say nothing. */
export interface ImportRow {
  reference: string
  customer: string
  amount?: number | undefined
  cycle?: Cycle | undefined
  renewalDate?: string | undefined
  status?: string | undefined
  renews?: string | undefined
  tags: string[]
  term?: number | undefined
}

export type Imported = DecidedState & Undecided

interface OfFile {
  contract: ModelContract
  rows: ImportRow[]
  moment: Moment
  isMuting: boolean
  /** Notice of the contract's renewal was given by letter. */
  isPosted: boolean
}

/** What a row makes of the contract with its reference; undefined if it fails. */
export function importedBy(
  row: ImportRow,
  { contract, rows, moment, isMuting, isPosted }: OfFile,
): Imported | undefined {
  const isRepeated = rows.filter((other) => isSameReference(other, row)).length > 1
  const isOther = row.customer === 'Somebody else' || (row.term ?? contract.term) !== contract.term
  const status = row.status ?? contract.status
  const renewalDate = row.renewalDate ?? contract.renewalDate
  const isImpossible = isOpenAs(status) !== isOpenAs(contract.status) || renewalDate <= (contract.termStart ?? '')
  if (isRepeated || isOther || isImpossible) return undefined
  const after = {
    ...storedOf(contract),
    amount: row.amount ?? contract.amount,
    cycle: row.cycle ?? contract.cycle,
    renews: row.renews ?? contract.renews,
    tags: row.tags.length > 0 ? row.tags.map(tagKey) : contract.tags,
    status,
    renewalDate,
  }
  const changed = { ...contract, ...after }
  const [was, is] = [settled(contract, moment), settled(changed, moment)]
  const isMoved = renewalDate !== contract.renewalDate || is.renewalDate !== was.renewalDate
  const startsOver = isMoved || (isOpenAs(is.status) && !isOpenAs(was.status))
  const waits = actsByItself(contract) && !actsByItself(changed)
  const bringsMail = startsOver || waits || (!isPosted && hasOtherDays(contract, changed))
  return {
    ...after,
    // Nobody is written to on the day of an import.
    since: startsOver ? nextNoon(moment.now, contract.account.timeZone) : contract.since,
    muted: isMuting && isOpenAs(status) && bringsMail ? is.renewalDate : contract.muted,
  }
}

/** Noon of the next day, as in `quietUntil`: only its day counts. */
function nextNoon(now: number, timeZone: string): number {
  let at = Math.floor(now / QUARTER_MS) * QUARTER_MS
  while (dayAt(at, timeZone) === dayAt(now, timeZone)) at += QUARTER_MS
  while (hourAt(at, timeZone) !== 12) at += QUARTER_MS
  return at
}

/** Whether there are other days for notices by email than before. */
function hasOtherDays(before: ModelContract, after: ModelContract): boolean {
  const [was, is] = [windowOf(before), windowOf(after)].map((window) => window?.means.includes('email') && window)
  return Boolean(is && !(was && was.from === is.from && was.through === is.through))
}

/** So many imports can be undone: what older ones have changed is forgotten. */
const MOST_KEPT = 10

/** An import has changed contracts, so that the oldest one may no longer be undone. */
export function noteImport(account: Pick<ModelAccount, 'imports'>, done: ModelImport): void {
  account.imports = [...account.imports, done].slice(-MOST_KEPT)
}

export function isSameReference(one: { reference: string }, other: { reference: string }): boolean {
  return one.reference.toLowerCase() === other.reference.toLowerCase()
}
