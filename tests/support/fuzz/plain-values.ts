import { known, type Schema } from './input-schema.ts'

/** Rows of the account that calls. */
export interface Records {
  accountId: number
  customerId: number
  /** One without contracts. */
  freeCustomerId: number
  contractId: number
  /** In the trash. */
  deletedCustomerId: number
  deletedContractId: number
  notificationId: number
  importId: number
  bulkId: number
  noteId: number
  viewId: number
  contactId: number
  /** A customer's answer that waits. */
  answerId: number
  /** The seal of a link for answering, and of a page that it has shown. */
  answerToken: string
  page: string
  ruleId: number
  /** What a change of many contracts takes. */
  selection: { ids: number[] }
  apiKeyId: number
  userId: string
  /** The seal of a message's links, and its Message-ID. */
  token: string
  messageId: string
  /** That of the account's logo, if it has one. */
  logoName: string | null
  /** That of the contract, within the days that reminders look ahead. */
  renewalDate: string
  today: string
}

/** What a field of this name takes of all that its type would let through. */
const BY_NAME: Record<string, unknown> = {
  email: 'a@example.com',
  replyTo: 'a@example.com',
  timeZone: 'Europe/Berlin',
  code: '123456',
  // Two customers may not have the same.
  customerNumber: null,
  startDate: '2026-01-01',
  startedIn: '2026-01',
  addedIn: '2026-01',
  expiresOn: '2050-01-01',
  reminderDays: [14, 7],
  followUpDays: [3],
  means: ['letter'],
  offset: 14,
  amount: 12.5,
  hour: 8,
  since: '2026-01-01T00:00:00Z',
  mapping: '{}',
  noticePeriod: '30 days',
  endReasons: ['Price'],
  reason: 'Price',
  delivery: 'certified_mail',
  tag: 'Acme',
  tags: ['Acme'],
  renewalFrom: '2026-01-01',
  renewalThrough: '2050-01-01',
  amountFrom: 1,
  amountThrough: 100_000,
}
/** And what is a record's. */
const OF_RECORDS: Record<string, keyof Records> = {
  renewalDate: 'renewalDate',
  page: 'page',
  until: 'renewalDate',
  contracts: 'selection',
  on: 'renewalDate',
  token: 'token',
  rule: 'ruleId',
  'message-id': 'messageId',
}
/** Places in a list, which are made by the list itself, and the version of a row, which only a new row surely has. */
const MADE_BY_SERVER = new Set(['cursor', 'after', 'before', 'version'])

/** Whose id a call takes where its field says no more than "id". */
const OWNERS: [RegExp, keyof Records][] = [
  [/\/operator\//, 'accountId'],
  [/trash.*contract/i, 'deletedContractId'],
  [/trash.*customer/i, 'deletedCustomerId'],
  [/\/notes\/:id|notes\.(?:update|remove)/, 'noteId'],
  [/\/answers\/:id|answers\.(?:accept|decline)/, 'answerId'],
  [/\/views\/:id|views\.(?:update|remove)/, 'viewId'],
  [/\/contacts\/:id|contacts\.(?:update|remove|makeFirst|clearBounce)/, 'contactId'],
  [/contacts\.(?:list|add)/, 'customerId'],
  [/\/notice-rules\/:id|noticeRules\.(?:change|remove)/, 'ruleId'],
  [/\/bulk\/:id|bulk\.(?:get|undo)/, 'bulkId'],
  [/userId/, 'userId'],
  [/(?:activity|notes)\.(?:list|add)/, 'customerId'],
  [/customers\.remove|DELETE \/customers\/:id$/, 'freeCustomerId'],
  [/customerId/, 'customerId'],
  [/contractId/, 'contractId'],
  [/contract/i, 'contractId'],
  [/notices\.(?:ofContract|post|unpost)/, 'contractId'],
  [/notification/i, 'notificationId'],
  [/import/i, 'importId'],
  [/api-?key/i, 'apiKeyId'],
  [/customer|bounce/i, 'customerId'],
]

/** An input that the call takes and the account's rows fit. */
export function plainInput(schema: Schema, call: string, records: Records): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).filter(
    ([name]) => required.includes(name) || !(MADE_BY_SERVER.has(name) || isOneTooMany(call, name)),
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, plainValue(known(field), { name, call, records })]))
}

/** A notice rule is chosen for one thing: here, a contract. */
function isOneTooMany(call: string, name: string): boolean {
  return /notice-?rules.*cho/i.test(call) && (name === 'customerId' || name === 'tag')
}

interface Place {
  name: string
  call: string
  records: Records
}

function plainValue(schema: Schema, place: Place): unknown {
  const { name, call, records } = place
  if (name === 'id' && call.includes('webhook')) return 'id_1'
  // The customer's first contact, to whom the records' messages go.
  if (name === 'contactId') return 0
  if (isId(name)) return idOf(place)
  // A letter cannot have been posted on a day to come.
  if (name === 'on' && /notice/i.test(call)) return records.today
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  // By the first of the laws, nobody can agree to email.
  if (takes(schema, 'boolean')) return name !== 'emailAgreed'
  if (call.includes('trash') && name === 'contracts') return [records.deletedContractId]
  if (name === 'token' && call.includes('/answer/')) return records.answerToken
  if (OF_RECORDS[name] && schema.type !== 'integer') return records[OF_RECORDS[name]]
  if (name === 'name' && call.includes('/logos/')) return records.logoName
  if (name in BY_NAME) return BY_NAME[name]
  if (schema.anyOf) return plainValue(known(schema.anyOf[0]), place)
  if (schema.format === 'date') return '2026-01-01'
  if (schema.format === 'date-time') return '2026-01-01T09:00:00Z'
  if (schema.type === 'object') return plainInput(schema, call, records)
  if (schema.type === 'array') return []
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  return schema.type === 'null' ? null : 'Acme'
}

function takes({ type, anyOf = [] }: Schema, wanted: Schema['type']): boolean {
  return type === wanted || anyOf.some((option) => takes(known(option), wanted))
}

export function isId(name: string): boolean {
  return name === 'id' || name.endsWith('Id')
}

function idOf({ name, call, records }: Place): unknown {
  const words = name === 'id' ? call : name
  const owner = OWNERS.find(([pattern]) => pattern.test(words))?.[1] ?? 'contractId'
  return records[owner]
}
