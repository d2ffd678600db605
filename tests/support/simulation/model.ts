import type { RequestContext } from '#server/context.ts'

/** What the simulation itself knows of the world, kept apart from what the database says. */
export interface Model {
  now: number
  accounts: ModelAccount[]
  customers: Map<number, ModelCustomer>
  contracts: Map<number, ModelContract>
  /** The ledger, as it was last seen. */
  rows: Map<number, Row>
  rowsOf: Map<number, Row[]>
  lastRow: number
  /** The rows that are not settled. */
  open: Set<number>
  /** Rows that somebody has touched by hand since. */
  touched: Set<number>
  receipts: Receipt[]
  /** By contract, renewal date and recipient. */
  receiptsOf: Map<string, Receipt[]>
  /** Messages of which somebody may not know whether they went out. */
  incidents: Set<number>
  /** How often each was sent again because its owner said so. */
  byHand: Map<number, number>
  faults: string[]
}

export function newModel(now: number): Model {
  return {
    now,
    accounts: [],
    customers: new Map(),
    contracts: new Map(),
    rows: new Map(),
    rowsOf: new Map(),
    lastRow: 0,
    open: new Set(),
    touched: new Set(),
    receipts: [],
    receiptsOf: new Map(),
    incidents: new Set(),
    byHand: new Map(),
    faults: [],
  }
}

export interface Wishes {
  enabled: boolean
  reminderDays: number[]
  followUpDays: number[]
  email: boolean
  inApp: boolean
}

export interface ModelAccount extends Wishes {
  id: number
  request: RequestContext
  ownerEmail: string
  timeZone: string
  zoneChangedAt: number
  hour: number
  hasAccess: boolean
  /** The day on which it was last planned. */
  plannedDay: string
  bounced: Set<string>
}

export interface ModelCustomer {
  id: number
  email: string | null
  isOptedIn: boolean
}

export interface ModelContract {
  id: number
  account: ModelAccount
  customer: ModelCustomer
  renewalDate: string
  status: string
  /** Since when it has had its renewal date and been open. */
  since: number
  isDeleted: boolean
  own: { [Wish in keyof Wishes]?: Wishes[Wish] | null }
}

export interface Row {
  id: number
  accountId: number
  contractId: number | null
  renewalDate: string
  kind: string
  offset: number
  day: string
  sentOn: string | null
  recipient: string
  channel: string
  state: string
  reason: string | null
  repeats: number
}

export interface Receipt {
  rowId: number
  to: string
  at: number
}

export function isOpen({ status, isDeleted }: ModelContract): boolean {
  return !isDeleted && (status === 'pending' || status === 'active')
}

export function wishesOf({ account, own }: ModelContract): Wishes {
  return {
    enabled: own.enabled ?? account.enabled,
    reminderDays: own.reminderDays ?? account.reminderDays,
    followUpDays: own.followUpDays ?? account.followUpDays,
    email: own.email ?? account.email,
    inApp: own.inApp ?? account.inApp,
  }
}

const days = new Map<string, Intl.DateTimeFormat>()

/** The date on a wall calendar. */
export function dayAt(at: number, timeZone: string): string {
  const known = days.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  days.set(timeZone, known)
  return known.format(at)
}

const hours = new Map<string, Intl.DateTimeFormat>()

/** The hour on a wall clock. */
export function hourAt(at: number, timeZone: string): number {
  const options = { timeZone, hour: '2-digit', hourCycle: 'h23' } as const
  const known = hours.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options)
  hours.set(timeZone, known)
  return Number(known.format(at))
}

export function daysLater(day: string, count: number): string {
  return new Date(Date.parse(`${day}T12:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
}
