import type { EntitySchema } from '@mikro-orm/core'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { CONTRACT_STATUSES, isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { ActivityEntity, NoteEntity } from '#server/activity/activity.entity.ts'
import { settledRenewalDate } from '#server/contracts/settled-renewal-date.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { ContractDecisionEntity, ContractTermEntity } from '#server/contracts/contract-history.entity.ts'
import { ClosedAddressEntity } from '#server/customers/closed-address.entity.ts'
import { AnswerSettingsEntity, CustomerAnswerEntity } from '#server/customer-answers/customer-answer.entity.ts'
import { CustomerContactEntity } from '#server/customers/customer-contact.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import type { Write } from '#server/db/database.ts'
import { columnNames, recordsOf } from '#server/db/insert.ts'
import { BouncedAddressEntity, ComplaintEntity, MailStopEntity } from '#server/deliverability/deliverability.entity.ts'
import type { NewPdf } from '#server/files/store-pdf.ts'
import { ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { ContractReminderPreferencesEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { TagEntity } from '#server/tags/tag.entity.ts'
import { SavedViewEntity } from '#server/views/saved-view.entity.ts'
import type { StoredRow } from './reader-output.ts'

/** The new IDs of what an archive brings, in the order of its rows. */
class NewIds {
  readonly customers: number[] = []
  readonly contacts: number[] = []
  readonly contracts: number[] = []
  readonly messages: number[] = []
}

/** What the rows of an archive become in this account. */
export interface RowTarget {
  accountId: number
  now: Date
  /** From when on messages count. */
  quietUntil: Date
  today: Day
  tomorrow: Day
  /** Whether customers get no emails about the current renewal dates. */
  isMuted: boolean
  /** Whether everything is rolled back. */
  isPreview: boolean
  /** By the positions of their contracts. */
  pdfs: ReadonlyMap<number, NewPdf>
}

interface Insertion {
  entity: EntitySchema
  /** Properties that an archive does not set. */
  without: readonly string[]
  /** The row with new IDs. */
  stored?: (row: StoredRow, ids: NewIds, at: RowTarget & { position: number }) => object
  /** Where its own new IDs are kept. */
  kept?: keyof NewIds
  onConflict?: Sql
}

/** Writes the rows of an archive, table by table, and remembers the new IDs. */
export function rowWriter(write: Write, at: RowTarget): (table: string, rows: readonly StoredRow[]) => Promise<void> {
  const ids = new NewIds()
  return async (table, rows) => {
    const insertion = INSERTIONS[table]
    // Settings and files are written elsewhere.
    if (!insertion) return
    const { stored, kept } = insertion
    const before = kept ? ids[kept].length : 0
    const withIds = rows.map((row, index) => (stored ? stored(row, ids, { ...at, position: before + index + 1 }) : row))
    const added = await write(statementOf(insertion, withIds, at), AddedRow)
    // Identities are drawn in the order in which the rows are inserted.
    if (kept) ids[kept].push(...added.map(({ id }) => id).toSorted(asDrawn))
  }
}

/** More than a batch can draw, and less than previews have. */
const FARTHEST_APART = 10_000_000

/** The IDs of previews start over at their end (0108): those far below others come after them. */
function asDrawn(one: number, other: number): number {
  return Math.abs(one - other) > FARTHEST_APART ? other - one : one - other
}

const AddedRow = z.object({ id: z.int() })

function statementOf(
  { entity, without, kept, onConflict }: Insertion,
  rows: readonly object[],
  { accountId, isPreview }: RowTarget,
): Sql {
  const left = new Set(['accountId', ...without])
  const properties = Object.keys(entity.meta.properties).filter((name) => !left.has(name))
  const names = columnNames(entity, Object.fromEntries(properties.map((name) => [name, true])))
  // Sequences are not rolled back, and most ids have 32 bits.
  const drawn = isPreview && without.includes('id')
  return sql`
    insert into ${raw(entity.meta.tableName)} (${drawn ? sql`id, ` : empty}account_id, ${names})
    ${drawn ? sql`overriding system value` : empty}
    select ${drawn ? sql`nextval('preview_ids'), ` : empty}${accountId}, ${names} from ${recordsOf(entity, properties, rows)} order by position
    ${onConflict ?? empty} ${kept ? sql`returning id::float8 as id` : empty}`
}

/** How the rows of each file are written. */
export const INSERTIONS: Record<string, Insertion> = {
  tags: { entity: TagEntity, without: ['id'] },
  customers: { entity: CustomerEntity, without: ['id', 'importId', 'editedAt'], kept: 'customers' },
  'customer-contacts': {
    entity: CustomerContactEntity,
    without: ['id', 'version'],
    kept: 'contacts',
    stored: (row, ids, { tomorrow }) => ({
      ...row,
      customerId: newId(ids.customers, row['customerId']),
      remindersFrom: tomorrow,
    }),
  },
  contracts: {
    entity: ContractEntity,
    without: ['id', 'importId', 'editedAt'],
    kept: 'contracts',
    stored: (row, ids, { quietUntil, today, isMuted, pdfs, position }) => ({
      ...row,
      customerId: newId(ids.customers, row['customerId']),
      remindersSince: quietUntil,
      ...(isMuted && isOpen(Status.parse(row['status'])) && { mutedRenewalDate: settledRenewalDate(row, today) }),
      pdfPath: pdfs.get(position)?.key ?? null,
      pdfBytes: pdfs.get(position)?.bytes ?? null,
    }),
  },
  'contract-terms': { entity: ContractTermEntity, without: [], stored: ofContract },
  'contract-decisions': { entity: ContractDecisionEntity, without: ['id'], stored: decided },
  'contract-reminder-settings': { entity: ContractReminderPreferencesEntity, without: [], stored: ofContract },
  'answer-settings': {
    entity: AnswerSettingsEntity,
    without: ['id'],
    stored: ofContract,
    onConflict: sql`on conflict (account_id, contract_id) do update set has_link = excluded.has_link,
      renewal = excluded.renewal, deadline = excluded.deadline, late_end = excluded.late_end, shows_pdf = excluded.shows_pdf`,
  },
  'customer-answers': {
    entity: CustomerAnswerEntity,
    without: ['id'],
    stored: (row, ids) => ({
      ...row,
      customerId: newId(ids.customers, row['customerId']),
      contractId: newId(ids.contracts, row['contractId']),
      contactId: Number(row['contactId']) > 0 ? newId(ids.contacts, row['contactId']) : row['contactId'],
      offer: {
        ...Offered.parse(row['offer']),
        customerId: newId(ids.customers, Offered.parse(row['offer'])['customerId']) ?? 0,
      },
    }),
  },
  'saved-views': { entity: SavedViewEntity, without: ['id'], stored: viewed },
  notes: {
    entity: NoteEntity,
    without: ['id'],
    stored: (row, ids) => ({
      ...row,
      customerId: newId(ids.customers, row['customerId']),
      contractId: newId(ids.contracts, row['contractId']),
    }),
  },
  activity: { entity: ActivityEntity, without: ['id'], stored: changed },
  reminders: {
    entity: ReminderEntity,
    // By its message ID the mail provider's events would find a message that another account has sent.
    without: ['id', 'messageId', 'nextAttemptAt', 'waitsFor'],
    kept: 'messages',
    stored: (row, ids, { now }) => ({
      ...row,
      customerId: newId(ids.customers, row['customerId']),
      contractId: newId(ids.contracts, row['contractId']),
      contactId: Number(row['contactId']) > 0 ? newId(ids.contacts, row['contactId']) : row['contactId'],
      endedAt: row['endedAt'] ?? (row['reason'] === 'moved' ? now : null),
    }),
  },
  complaints: {
    entity: ComplaintEntity,
    without: ['id'],
    stored: (row, ids) => ({ ...row, reminderId: newId(ids.messages, row['reminderId']) }),
  },
  'bounced-addresses': {
    entity: BouncedAddressEntity,
    without: ['id'],
    onConflict: sql`on conflict (account_id, address) where cleared_at is null do nothing`,
  },
  'closed-addresses': {
    entity: ClosedAddressEntity,
    without: [],
    onConflict: sql`on conflict (account_id, mailbox) do update set reason = excluded.reason where excluded.reason = 'complained'`,
  },
  'mail-stops': {
    entity: MailStopEntity,
    without: ['id', 'toldAt', 'liftedAt', 'liftLoggedAt'],
    onConflict: sql`on conflict (account_id) where lifted_at is null do nothing`,
  },
}

const Offered = z.record(z.string(), z.unknown())
const Status = z.enum(CONTRACT_STATUSES)
const Decided = z.looseObject({ customerId: z.int().nullable() })
const Search = z.looseObject({ customerId: z.int().optional() })
const Columns = z.looseObject({ customer_id: z.int().nullable().optional() })

function newId(ids: readonly number[], position: unknown): number | null {
  if (typeof position !== 'number') return null
  const id = ids[position - 1]
  if (id === undefined) throw new Error(`Nothing was written at position ${position}`)
  return id
}

function ofContract(row: StoredRow, ids: NewIds) {
  return { ...row, contractId: newId(ids.contracts, row['contractId']) }
}

function decided(row: StoredRow, ids: NewIds) {
  const contractId = newId(ids.contracts, row['contractId'])
  const columnsOf = (value: unknown) => {
    const columns = Decided.parse(value)
    // 0 is a customer who is gone, so that the decision cannot be undone.
    return { ...columns, id: contractId, customerId: newId(ids.customers, columns.customerId) ?? 0 }
  }
  return { ...row, contractId, before: columnsOf(row['before']), after: columnsOf(row['after']) }
}

function viewed(row: StoredRow, ids: NewIds) {
  const { customerId, ...search } = Search.parse(row['search'])
  return {
    ...row,
    search: customerId === undefined ? search : { ...search, customerId: newId(ids.customers, customerId) },
  }
}

function changed(row: StoredRow, ids: NewIds) {
  const columnsOf = (value: unknown) => {
    const { customer_id: customer, ...columns } = Columns.parse(value)
    return customer === undefined ? columns : { ...columns, customer_id: newId(ids.customers, customer) }
  }
  const about = row['about'] === 'customer' ? ids.customers : ids.contracts
  const aboutId = Number(row['aboutId'])
  return {
    ...row,
    aboutId: aboutId > 0 ? newId(about, aboutId) : aboutId,
    before: columnsOf(row['before']),
    after: row['after'] === null ? null : columnsOf(row['after']),
  }
}
