import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { ARCHIVE_TABLES } from '#server/archives/archive-tables.ts'
import { rowsIn, type Row } from './archives.ts'

/** Tables whose rows others refer to. */
const REFERRED = ['customers', 'customer-contacts', 'contracts', 'reminders'] as const
type Referred = (typeof REFERRED)[number]

/** What each property with an ID refers to; null: nothing refers to it. */
const IDS: Record<string, Record<string, Referred | null>> = {
  tags: { id: null },
  customers: { id: 'customers' },
  'customer-contacts': { id: 'customer-contacts', customerId: 'customers' },
  contracts: { id: 'contracts', customerId: 'customers' },
  'contract-terms': { contractId: 'contracts' },
  'contract-decisions': { id: null, contractId: 'contracts' },
  'contract-reminder-settings': { id: 'contracts' },
  'answer-settings': { id: null, contractId: 'contracts' },
  'customer-answers': { id: null, contractId: 'contracts', customerId: 'customers', contactId: 'customer-contacts' },
  'saved-views': { id: null },
  notes: { id: null, customerId: 'customers', contractId: 'contracts' },
  activity: { id: null },
  reminders: { id: 'reminders', contractId: 'contracts', customerId: 'customers', contactId: 'customer-contacts' },
  complaints: { id: null, reminderId: 'reminders' },
  'bounced-addresses': { id: null },
}

type Places = Record<Referred, Map<unknown, string>>

/**
 * What an archive says, with places instead of IDs, so that two can be compared: the rows of each table, and the files by
 * their contents. Only what differs by its nature is left out: where files are kept, the owner's own address, that an answer
 * was imported, and what the import does to a reply-to address and to messages that were waiting.
 */
export function comparable(archive: Buffer) {
  const rows = Object.fromEntries(ARCHIVE_TABLES.map((table) => [table, rowsIn(archive, table)]))
  const places: Places = {
    customers: placesOf(rows['customers']),
    'customer-contacts': placesOf(rows['customer-contacts']),
    contracts: placesOf(rows['contracts']),
    reminders: placesOf(rows['reminders']),
  }
  const tables = ARCHIVE_TABLES.map((table) => [table, (rows[table] ?? []).map((row) => placed(table, row, places))])
  return { ...Object.fromEntries(tables), files: filesOf(archive, places) }
}

function placesOf(rows: Row[] = []): Map<unknown, string> {
  return new Map(rows.map(({ id }, index) => [id, `#${index + 1}`]))
}

function placed(table: string, row: Row, places: Places): Row {
  const named = Object.entries(row).map(([name, value]) => [name, valueOf(table, { name, value }, { row, places })])
  const {
    ownerEmail: _owner,
    isReplyToConfirmed: _confirmed,
    isImported: _imported,
    ...kept
  } = Object.fromEntries(named)
  return table === 'reminders' ? message(kept) : kept
}

interface Property {
  name: string
  value: unknown
}

function valueOf(table: string, { name, value }: Property, { row, places }: { row: Row; places: Places }): unknown {
  const referred = IDS[table]?.[name]
  if (referred === null) return undefined
  if (referred) return placeIn(places[referred], value)
  if (name === 'pdfPath' || name === 'logoPath') return value !== null
  if (name === 'aboutId') return placeIn(row['about'] === 'customer' ? places.customers : places.contracts, value)
  if (name === 'before' || name === 'after') return columnsOf(value, places)
  return name === 'search' || name === 'offer' ? columnsOf(value, places) : value
}

/** 0 is the first contact, or a customer who is gone. */
function placeIn(known: Map<unknown, string>, value: unknown): unknown {
  return value === null || value === 0 ? null : (known.get(value) ?? 'gone')
}

function columnsOf(value: unknown, places: Places): unknown {
  if (typeof value !== 'object' || value === null) return value
  const columns = Object.entries(value).map(([name, one]) => {
    if (name === 'customer_id' || name === 'customerId') return [name, placeIn(places.customers, one)]
    if (name === 'id') return [name, placeIn(places.contracts, one)]
    return [name, one]
  })
  return Object.fromEntries(columns)
}

/** One that was waiting is skipped where the archive is imported. */
function message(row: Row): Row {
  const isWaiting = row['state'] === 'planned' || row['reasonKey'] === 'moved'
  if (!isWaiting) return row
  const { state: _state, reason: _reason, reasonKey: _key, endedAt: _ended, ...kept } = row
  return kept
}

/** Other files by the hash of their content. */
function filesOf(archive: Buffer, { contracts }: Places): Record<string, string> {
  const files = unzipSync(archive, { filter: ({ name }) => /^(?:pdfs\/|logo\.)/.test(name) })
  const hashes = Object.entries(files).map(([name, content]) => {
    const id = Number(/contract-(\d+)/.exec(name)?.[1])
    const hash = createHash('sha256').update(content).digest('hex')
    return [contracts.get(id) ?? name, name.endsWith('.txt') ? strFromU8(content) : hash]
  })
  return Object.fromEntries(hashes)
}
