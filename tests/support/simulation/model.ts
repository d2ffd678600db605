import type { MailLimits } from '#shared/domain/mail-limits.ts'
import type { RequestContext } from '#server/context.ts'

/** What the simulation itself knows of the world, kept apart from what the database says. */
export interface Model {
  /** By the servers' clock. */
  now: number
  /** By how much that clock is ahead, in milliseconds. */
  clockError: number
  accounts: ModelAccount[]
  customers: Map<number, ModelCustomer>
  contracts: Map<number, ModelContract>
  /** The ledger, as it was last seen. */
  rows: Map<number, Row>
  rowsOf: Map<number, Row[]>
  lastRow: number
  /** The rows that are not settled. */
  open: Set<number>
  /** What was skipped between the last two looks at the ledger. */
  skipped: readonly Row[]
  /** The states that the rows of the last look had before; those that were new in it count as planned. */
  statesBefore: ReadonlyMap<number, string>
  /** Rows that somebody has touched by hand since. */
  touched: Set<number>
  /**
   * Contracts of which a decision, or their deletion, has just been undone, with the terms that they then had: only their
   * messages can be planned again, or be withdrawn.
   */
  undone: Map<number, number>
  /** Contracts about which a reminder by hand has just been planned: only theirs can be planned again. */
  reminded: Set<number>
  /** Their messages that are planned again. */
  resumed: Set<number>
  /** Renewals whose confirmation the ledger has not been looked at for. */
  renewals: ModelRenewal[]
  /** How often was decided what, of which `SimulationReport` tells. */
  decided: typeof NO_DECISIONS
  /** How many contracts were changed together with others, tagged or reminded about, and how many changes were undone or not. */
  bulk: { changed: number; tagged: number; reminded: number; leftOut: number; bulkUndone: number; bulkKept: number }
  /** How many contracts imports have changed or refused to, and how many were put back or kept. */
  imports: { imported: number; importRefused: number; importUndone: number; importKept: number }
  /** How many contracts were restored from the trash, and how many were deleted for good. */
  trash: { restored: number; purged: number }
  /** The links in emails that customers got, by token and by contract, and what came of answers. */
  answers: { links: Map<string, ModelLink>; linksOf: Map<number, ModelLink[]>; counts: AnswerCounts }
  /** The notice windows that have opened, by `windowKey`, and what came of them. */
  notices: { recorded: Map<string, RecordedWindow>; lastNotification: number; counts: NoticeCounts }
  /** The last notification that was counted. */
  lastNotice: number
  /** The highest scheduled amount; each has its own. */
  amounts: number
  receipts: Receipt[]
  /** Every email that reached the mail server, for each row in it. */
  deliveries: Delivery[]
  /** By contract, renewal date and recipient. */
  receiptsOf: Map<string, Delivery[]>
  /** Messages of which nobody knew whether they had been sent when their email bounced. */
  bouncedUnsure: Set<number>
  /** By contract, which row told a reader of an occasion, unless somebody has typed an address since. */
  readBy: Map<number, Map<string, number>>
  /** The Message-IDs that the mail server may have taken without saying so. */
  lostMails: Set<string>
  /** What customers were sent on a day, or might have been: of an address and of an account. */
  mailCounts: MailCounts
  /** Messages of which somebody may not know whether they went out. */
  incidents: Set<number>
  /** How often each was sent again because its owner said so. */
  byHand: Map<number, number>
  /** What happened to each contract and its messages, to explain a fault with. */
  history: Map<number, string[]>
  faults: string[]
}

const NO_DECISIONS = {
  byItself: 0,
  overdueEnded: 0,
  ended: 0,
  reopened: 0,
  scheduled: 0,
  repriced: 0,
  undone: 0,
  confirmed: 0,
}

export function newModel(now: number): Model {
  return {
    now,
    clockError: 0,
    accounts: [],
    customers: new Map(),
    contracts: new Map(),
    rows: new Map(),
    rowsOf: new Map(),
    lastRow: 0,
    open: new Set(),
    skipped: [],
    statesBefore: new Map(),
    touched: new Set(),
    undone: new Map(),
    reminded: new Set(),
    resumed: new Set(),
    renewals: [],
    decided: { ...NO_DECISIONS },
    bulk: { changed: 0, tagged: 0, reminded: 0, leftOut: 0, bulkUndone: 0, bulkKept: 0 },
    imports: { imported: 0, importRefused: 0, importUndone: 0, importKept: 0 },
    trash: { restored: 0, purged: 0 },
    answers: { links: new Map(), linksOf: new Map(), counts: newAnswerCounts() },
    notices: { recorded: new Map(), lastNotification: 0, counts: newNoticeCounts() },
    lastNotice: 0,
    amounts: 1_000_000,
    receipts: [],
    deliveries: [],
    receiptsOf: new Map(),
    bouncedUnsure: new Set(),
    readBy: new Map(),
    lostMails: new Set(),
    mailCounts: {
      limits: { toAddress: 0, ofPaying: 0, ofTrial: 0 },
      tries: [],
      uncertainDays: new Set(),
      digests: 0,
      held: 0,
    },
    incidents: new Set(),
    byHand: new Map(),
    history: new Map(),
    faults: [],
  }
}

/** How often each of these has happened. */
function newAnswerCounts() {
  return {
    /** Taken, by what was answered, and what it did. */
    renewed: 0,
    asked: 0,
    declined: 0,
    atOnce: 0,
    left: 0,
    late: 0,
    changed: 0,
    /** Not taken: nothing can be answered any more, the page was shown too long ago, or the contract is gone. */
    refused: 0,
    stale: 0,
    notFound: 0,
    /** Given twice at the same time, by one link or by two, and after the process was killed. */
    twice: 0,
    byTwo: 0,
    killed: 0,
    /** Decided by the owner. */
    accepted: 0,
    ownTerms: 0,
    turnedDown: 0,
    dismissed: 0,
    notAccepted: 0,
    undone: 0,
    /** Links withdrawn, and settings chosen, of accounts and contracts. */
    revoked: 0,
    settings: 0,
    ownSettings: 0,
    /** Emails about answers that arrived. */
    told: 0,
    /** Reminders that an answer stopped. */
    stopped: 0,
  }
}

export type AnswerCounts = ReturnType<typeof newAnswerCounts>

function newNoticeCounts() {
  return {
    rules: 0,
    laws: 0,
    rulesChanged: 0,
    rulesRemoved: 0,
    chosen: 0,
    chosenNone: 0,
    inherited: 0,
    periods: 0,
    /** Letters that were posted or withdrawn, and what was refused. */
    posted: 0,
    unposted: 0,
    postRefused: 0,
    /** Emails that arrived, those that were due, and reminders that one took the place of. */
    emailed: 0,
    due: 0,
    noticed: 0,
    repeated: 0,
    byHand: 0,
    /** Windows that have opened, and lists that were compared. */
    windows: 0,
    lists: 0,
    given: 0,
    missed: 0,
    /** Warnings, the emails that brought them, and windows that were missed after one, or why without. */
    warnings: 0,
    warningMails: 0,
    missedWarned: 0,
    missedUnplanned: 0,
    missedGiven: 0,
    missedSending: 0,
    missedUnwarned: 0,
  }
}

export type NoticeCounts = ReturnType<typeof newNoticeCounts>

/** Notes what has happened to a contract, under the time of the simulation. */
export function remember(model: Model, contractId: number | null, text: string): void {
  if (contractId === null) return
  const line = `${new Date(model.now).toISOString().slice(0, 16)} ${text}`
  const lines = model.history.get(contractId)
  if (lines) lines.push(line)
  else model.history.set(contractId, [line])
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
  /** Whether that address is verified; otherwise the account has none. */
  isVerified: boolean
  timeZone: string
  zoneChangedAt: number
  hour: number
  hasAccess: boolean
  /** The day on which it was last planned. */
  plannedDay: string
  /** Whether customers are told of renewals, unless somebody says otherwise. */
  confirms: boolean
  /** After how many days overdue contracts end. */
  endOverdueAfter: number | null
  /** The day on which the job that renews contracts was last there; others too, if its latest runs may have failed. */
  nightDays: Set<string>
  /** Changes of several contracts at once, the newest last. */
  bulks: ModelBulk[]
  /** Imports that have changed contracts, the newest last. */
  imports: ModelImport[]
  /** How customers answer. */
  answers: AnswerWishes
  /** Its rules about notices, in the order in which they were made, and for what they are chosen. */
  rules: ModelRule[]
  choices: ModelChoices
  /** The last email about windows that close, with its day by the servers' clock and by its reader's. */
  warnedBy?: { day: string; readOn: string; messageId: string }
  bounced: Set<string>
  /** Whose readers have unsubscribed, in lower case. */
  closed: Set<string>
}

export interface ModelCustomer {
  id: number
  email: string | null
  /** Of all contacts. */
  isOptedIn: boolean
  /** The contacts besides the first, whose address is the customer's. */
  contacts: ModelContact[]
  /** Null outside the trash. */
  deletion: ModelDeletion | null
}

export interface ModelContact {
  id: number
  email: string | null
  reminders: boolean
  /** Messages of earlier days are not for it. */
  from: string
}

/** A customer or contract is in the trash. */
export interface ModelDeletion {
  at: number
  /** The messages that it skipped. */
  skipped: number[]
  /** Nothing brings it back. */
  isForGood: boolean
}

export interface ModelContract extends DecidedState, Undecided {
  id: number
  account: ModelAccount
  customer: ModelCustomer
  /** By which imports find it. */
  reference: string
  /** What was decided and can be undone, the newest last. */
  decisions: ModelDecision[]
  /** Null outside the trash. */
  deletion: ModelDeletion | null
  own: { [Wish in keyof Wishes]?: Wishes[Wish] | null }
  /** How its customer answers, where that is not as the account says. */
  ownAnswers: OwnAnswerWishes
  /** What customers have answered, the newest last. */
  answers: ModelAnswer[]
}

/** What decisions leave as it is. */
export interface Undecided {
  renews: string
  /** The renewal date about which the customer gets no emails. */
  muted: string | null
  /** As they are compared: without case and accents. */
  tags: string[]
  /** '30 days', '1 month'; null without one. */
  noticePeriod: string | null
}

/** A contract that was renewed to its current term. */
export interface ModelRenewal {
  contract: ModelContract
  isConfirmed: boolean
  /** Its renewal date before. */
  from: string
}

/** What decisions change. */
export interface DecidedState {
  renewalDate: string
  /** In dollars; no other contract's. */
  amount: number
  cycle: Cycle
  status: string
  /** The number of the current term. */
  term: number
  /** Null in the first term. */
  termStart: string | null
  /** The day whose day of the month the terms keep. */
  anchor: string
  nextAmount: number | null
  endsOn: string | null
  /** The renewal date on which nothing happens by itself. */
  held: string | null
  /** Since when it has had its renewal date and been open. */
  since: number
}

export type Cycle = 'monthly' | 'quarterly' | 'yearly'

export interface ModelDecision {
  isByItself: boolean
  before: DecidedState
  after: DecidedState
  /** The messages that were planned, and that it skipped. */
  skipped: number[]
}

/** The same change of several contracts, of which a job changes some at a time. */
export interface ModelBulk {
  id: number
  change: BulkChoice
  /** Whether the customers of renewed contracts are told. */
  isConfirmed: boolean
  /** Only as long as the account's settings say so. */
  asSettingsSay: boolean
  state: string
  contracts: ModelBulkContract[]
}

export type BulkChoice =
  | { action: 'renew'; from: 'term' | 'today' }
  | { action: 'end'; on: 'renewal_date' | 'today' }
  | { action: 'change_price'; percent: number }
  | { action: 'delete' }
  | { action: 'tag'; add: string[]; remove: string[] }
  | { action: 'remind' }

export interface ModelBulkContract {
  contract: ModelContract
  /** Of its term when it was selected. */
  term: number
  state: string
  /** What undoing takes back. */
  decision?: ModelDecision
  deletion?: ModelDeletion
  price?: { before: number | null; after: number | null }
  tags?: { before: string[]; after: string[] }
}

/** An import that has changed contracts by their reference. */
export interface ModelImport {
  id: number
  updates: ModelUpdate[]
}

export interface ModelUpdate {
  contract: ModelContract
  before: DecidedState & Undecided
  after: DecidedState & Undecided
  /** Of the contract's row before and since. */
  versionBefore: number
  version: number
}

/** How customers answer. */
export interface AnswerWishes {
  hasLink: boolean
  renewal: 'at_once' | 'waits'
  deadline: 'notice' | 'renewal' | 'open'
  lateEnd: 'refuse' | 'pass_on'
}

export type OwnAnswerWishes = { [Name in keyof AnswerWishes]: AnswerWishes[Name] | null }

/** What a customer was asked about. */
export type ModelOffer = Pick<
  ModelContract,
  'term' | 'amount' | 'cycle' | 'renewalDate' | 'renews' | 'noticePeriod' | 'nextAmount'
>

/** A link that was in an email which a customer got. */
export interface ModelLink {
  token: string
  contract: ModelContract
  contactId: number
  /** In lower case. */
  address: string
  offer: ModelOffer
  isRevoked: boolean
  /** When it was last received. */
  at: number
  /** What was shown when it was opened without answering. */
  opened: { pageToken: string; count: number; shown: string; at: number } | null
}

export type Choice = 'renew' | 'change' | 'end'

export interface ModelAnswer {
  id: number
  link: ModelLink
  /** Who gave it: the contact of the link, by the ID that it has now. */
  contactId: number
  term: number
  number: number
  choice: Choice
  state: string
  isLate: boolean
  isChange: boolean
  offer: ModelOffer
  /** In dollars. */
  wishedAmount: number | null
  wishedDate: string | null
  at: number
  /** What it did to the contract, or its acceptance did. */
  decision: ModelDecision | null
}

/** A rule about notices, of the account's own or of a law. */
export interface ModelRule {
  id: number
  isOfLaw: boolean
  unit: 'days' | 'months'
  from: number
  until: number
  countedFrom: 'renewal_date' | 'last_day_for_notice'
  means: ('email' | 'letter')[]
  exceptMonthly: boolean
  /** Whether a letter counts only if it was handed over in person or sent by certified mail. */
  asksDelivery: boolean
}

/** Which rule is chosen for what; null: none. By 'account', or a contract, a customer or a tag. */
export type ModelChoices = Map<string, number | null>

/** The days on which a notice must reach the customer, and how it can. */
export interface ModelWindow {
  from: string
  through: string
  means: ModelRule['means']
}

/** A window that has opened, as the account's owner reads of it. */
export interface RecordedWindow extends ModelWindow {
  contract: ModelContract
  term: number
  renewalDate: string
  postedOn: string | null
  /** The last warning that it closes without notice. */
  warned: ModelWarning | null
  /** How it stood when something was last planned in its last week. */
  seen?: 'given' | 'sending' | 'due'
}

/** A warning that a window closes without notice. */
export interface ModelWarning {
  days: number
  through: string
  at: number
}

export interface Row {
  id: number
  accountId: number
  contractId: number | null
  renewalDate: string
  term: number
  kind: string
  offset: number
  day: string
  sentOn: string | null
  recipient: string
  /** 0 for the first, and for the owner. */
  contactId: number
  channel: string
  state: string
  reason: string | null
  repeats: number
  messageId: string | null
  plannedAt: number
  /** When it was last taken for sending. */
  sendingAt: number | null
  waitsFor: string | null
  /** The contact it was to when it was first looked at; another may have been made the first since. */
  plannedFor?: number
  /** It was to whoever was the first contact until another one was made that. */
  hasOtherReader?: boolean
}

/** An email as the mail server got it. */
export interface Receipt {
  messageId: string
  to: string
  at: number
  text: string
}

/** A row that was in one of them. */
export interface Delivery {
  rowId: number
  /** By the servers' clock. */
  at: number
  /** By the reader's. */
  readAt: number
}

export interface MailCounts {
  limits: MailLimits
  /** To what addresses it was tried, whatever became of it. */
  tries: { to: string; at: number; messageId: string }[]
  /** Days on which a server was killed, or cut off: it may have counted what it did not send. */
  uncertainDays: Set<string>
  /** Emails of more than one message. */
  digests: number
  /** How often a message had to wait. */
  held: number
}

export function isOpen({ status, deletion }: ModelContract): boolean {
  return deletion === null && (status === 'pending' || status === 'active')
}

/** The customer gets no emails about its renewal date. */
export function isMuted({ muted, renewalDate }: ModelContract): boolean {
  return muted === renewalDate
}

/** Who reads the customer's messages: the first contact, and those of the others that get them. */
export function readersOf({ email, contacts }: ModelCustomer): Pick<ModelContact, 'id' | 'email' | 'from'>[] {
  return [{ id: 0, email, from: '' }, ...contacts.filter((contact) => contact.reminders && contact.email !== null)]
}

/** Where a message to the customer goes. */
export function addressOf({ customer }: ModelContract, { contactId }: Pick<Row, 'contactId'>): string | undefined {
  return readersOf(customer)
    .find(({ id }) => id === contactId)
    ?.email?.toLowerCase()
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

/** What decides about its messages, in a line. */
export function stateOf(contract: ModelContract): string {
  const { renewalDate, term, status, renews, endsOn, held, muted, since, deletion, customer, own } = contract
  const dates = { renewalDate, term, endsOn, held, muted, since: new Date(since) }
  return JSON.stringify({ ...dates, status, renews, isDeleted: deletion !== null, customer, own })
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
