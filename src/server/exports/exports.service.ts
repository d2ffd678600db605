import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { ARCHIVE_FORMAT } from '#shared/schemas/archives.ts'
import type { ExportContracts } from '#shared/schemas/exports.ts'
import { ContractFilter, CustomerFilter } from '#shared/schemas/filters.ts'
import type { ReaderContext } from '#server/context.ts'
import { AnswerLinkEntity } from '#server/customer-answers/customer-answer.entity.ts'
import { CustomerContactEntity } from '#server/customers/customer-contact.entity.ts'
import { BouncedAddressEntity, MailStopEntity } from '#server/deliverability/deliverability.entity.ts'
import { ApiKeyEntity } from '#server/identity/api-key.entity.ts'
import { requireRecentSignIn } from '#server/identity/reverification.ts'
import { TagEntity } from '#server/tags/tag.entity.ts'
import { listSettingsTable, savedViewsTable } from './saved-views-table.ts'
import { accountTable } from './account-tables.ts'
import { activityTable, notesTable } from './activity-tables.ts'
import { withContractDetails, withCustomerDetails } from './archive-details.ts'
import { answerSettingsTable, answersTable } from './answers-tables.ts'
import { certificates } from './certificates.ts'
import { closedAddressesTable, complaintsTable } from './consent-tables.ts'
import { importFailuresTable } from './import-failures-table.ts'
import { proofHeadsTable, proofRecordsTable, proofsTable } from './proof-tables.ts'
import { remindersTable } from './reminders-table.ts'
import { noticeChoicesTable, noticeRulesTable, noticesTable } from './notice-tables.ts'
import { importMappingsTable } from './import-mappings-table.ts'
import { importUpdatesTable } from './import-updates-table.ts'
import { customersWithContacts } from './contact-columns.ts'
import { companyTable, contractSettingsTable, reminderTextsTable, settingsTable } from './settings-tables.ts'
import { decisionsTable, renewalSettingsTable, termsTable } from './terms-tables.ts'
import {
  byId,
  BATCH,
  contractsTable,
  csvFile,
  customersTable,
  importsTable,
  jsonFile,
  notificationsTable,
  plainTable,
  type ExportTable,
} from './tables.ts'
import { alsoFromTrash, deletedContracts, deletedCustomers } from './trash-tables.ts'
import { zipOf, type ZipEntry } from './zip.ts'

/**
 * The export as a download. It counts as running until it is sent completely or the client disconnects.
 * @throws TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE
 */
export async function startExport(ctx: ReaderContext, content: AsyncGenerator<Uint8Array | string>): Promise<Readable> {
  const end = await ctx.limits.begin('exports', ctx.accountId)
  return Readable.from(content, { objectMode: false }).once('close', end)
}

/**
 * All of an account's data in one archive: each table as CSV and JSON, the certificates of notices and answers, and the
 * PDFs.
 * @throws REVERIFICATION_REQUIRED
 */
export function exportAccount(ctx: ReaderContext): AsyncGenerator<Uint8Array> {
  requireRecentSignIn(ctx)
  return zipOf(entries(ctx), ctx.services.now())
}

/** The customers that match a filter, as CSV, with all their contacts. */
export async function* exportCustomers(ctx: ReaderContext, filter: CustomerFilter): AsyncGenerator<string> {
  yield* csvFile(await customersWithContacts(ctx, filter))
}

/** The contracts that match a filter, as CSV. */
export function exportContracts(ctx: ReaderContext, filter: ExportContracts): AsyncGenerator<string> {
  return csvFile(contractsTable(ctx, filter))
}

async function* entries(outside: ReaderContext): AsyncGenerator<ZipEntry> {
  const ctx = { ...outside, read: outside.db.readAs(outside.accountId, { trash: true }) }
  const customers = customersTable(outside, CustomerFilter.parse({ sort: 'createdAt' }))
  const contracts = contractsTable(outside, ContractFilter.parse({}))
  yield format(ctx)
  yield* bothFiles('account', accountTable(ctx))
  // An API key must not list keys.
  if (!ctx.viaApiKey) yield* bothFiles('api-keys', plainTable(ctx, ApiKeyEntity, API_KEYS))
  yield* bothFiles('company', companyTable(ctx))
  yield* logo(ctx)
  yield* bothFiles('notification-settings', settingsTable(ctx))
  yield* bothFiles('reminder-texts', reminderTextsTable(ctx))
  const allCustomers = alsoFromTrash(customers, () => deletedCustomers(ctx))
  yield* bothFiles('customers', allCustomers, withCustomerDetails(ctx, allCustomers))
  yield* bothFiles('customer-contacts', plainTable(ctx, CustomerContactEntity, CONTACTS))
  const allContracts = alsoFromTrash(contracts, () => deletedContracts(ctx))
  yield* bothFiles('contracts', allContracts, withContractDetails(ctx, allContracts))
  yield* bothFiles('contract-terms', termsTable(ctx))
  yield* bothFiles('contract-decisions', decisionsTable(ctx))
  yield* bothFiles('renewal-settings', renewalSettingsTable(ctx))
  yield* bothFiles('contract-reminder-settings', contractSettingsTable(ctx))
  yield* bothFiles('answer-settings', answerSettingsTable(ctx))
  yield* bothFiles('answer-links', plainTable(ctx, AnswerLinkEntity, ANSWER_LINKS))
  yield* bothFiles('customer-answers', answersTable(ctx))
  yield* bothFiles('tags', plainTable(ctx, TagEntity, { id: 'ID', name: 'Tag' }))
  yield* bothFiles('notice-rules', noticeRulesTable(ctx))
  yield* bothFiles('notice-choices', noticeChoicesTable(ctx))
  yield* bothFiles('notices', noticesTable(ctx))
  yield* bothFiles('saved-views', savedViewsTable(ctx))
  yield* bothFiles('list-settings', listSettingsTable(ctx))
  yield* bothFiles('notes', notesTable(ctx))
  yield* bothFiles('activity', activityTable(ctx))
  yield* bothFiles('notifications', notificationsTable(ctx))
  yield* bothFiles('reminders', remindersTable(ctx))
  yield* bothFiles('proofs', proofsTable(ctx))
  yield* bothFiles('proof-records', proofRecordsTable(ctx))
  yield* bothFiles('proof-heads', proofHeadsTable(ctx))
  yield* bothFiles('bounced-addresses', plainTable(ctx, BouncedAddressEntity, BOUNCED_ADDRESSES))
  yield* bothFiles('closed-addresses', closedAddressesTable(ctx))
  yield* bothFiles('complaints', complaintsTable(ctx))
  yield* bothFiles('mail-stops', plainTable(ctx, MailStopEntity, MAIL_STOPS))
  yield* bothFiles('imports', importsTable(ctx))
  yield* bothFiles('import-failures', importFailuresTable(ctx))
  yield* bothFiles('import-updates', importUpdatesTable(ctx))
  yield* bothFiles('import-mappings', importMappingsTable(ctx))
  yield* certificates(ctx)
  yield* pdfs(ctx)
}

/** API keys without their hashes. */
const API_KEYS = {
  id: 'ID',
  name: 'Name',
  scope: 'Scope',
  createdAt: 'Date',
  expiresOn: 'Last Day',
  lastUsedAt: 'Last Used',
  lastUsedAddress: 'Last Address',
  revokedAt: 'Revoked',
}

/** The contacts of customers besides the first, which the customers have themselves. */
const CONTACTS = {
  id: 'ID',
  customerId: 'Customer ID',
  name: 'Name',
  role: 'Role',
  email: 'Email',
  phone: 'Phone',
  reminders: 'Reminders',
  createdAt: 'Date',
}

/** Addresses that bounced, including those marked as working since. */
const BOUNCED_ADDRESSES = {
  id: 'ID',
  address: 'Address',
  bouncedAt: 'Bounced',
  answer: 'Mail Server',
  clearedAt: 'Works Again',
}

/** The links that customers have, without what only they may know. */
const ANSWER_LINKS = {
  id: 'ID',
  contractId: 'Contract ID',
  termNumber: 'Term',
  address: 'Address',
  createdAt: 'Date',
  revokedAt: 'Revoked',
}

/** When mail to customers was paused. */
const MAIL_STOPS = { id: 'ID', stoppedAt: 'Paused', complaints: 'Complaints', mails: 'Emails', liftedAt: 'Lifted' }

/** Says that this is an archive, and how to read it. */
function format({ services }: ReaderContext): ZipEntry {
  const content = Readable.from([`${JSON.stringify({ format: ARCHIVE_FORMAT, madeAt: services.now() })}\n`])
  return { name: 'archive.json', content, isCompressible: true }
}

function* bothFiles<View, Detailed = View>(
  name: string,
  table: ExportTable<View>,
  inJson: Pick<ExportTable<View | Detailed>, 'batches'> = table,
): Generator<ZipEntry> {
  yield { name: `${name}.csv`, content: csvFile(table), isCompressible: true }
  yield { name: `${name}.json`, content: jsonFile(inJson), isCompressible: true }
}

async function* logo(ctx: ReaderContext): AsyncGenerator<ZipEntry> {
  const [company] = await ctx.read(
    sql`select logo_path as path from companies where account_id = ${ctx.accountId}`,
    StoredLogo,
  )
  const path = company?.path
  const content = path && (await openStored(ctx, path))
  if (content) yield { name: `logo.${path.slice(path.lastIndexOf('.') + 1)}`, content, isCompressible: false }
}

const StoredLogo = z.object({ path: z.string().nullable() })
const StoredPdf = z.object({ id: z.int(), path: z.string() })

/** A file that the storage has lost must not block the export: a list names it instead. */
async function* pdfs(ctx: ReaderContext): AsyncGenerator<ZipEntry> {
  const missing: number[] = []
  for await (const batch of byId((after) => storedPdfs(ctx, after))) {
    for (const { id, path } of batch) {
      const content = await openStored(ctx, path)
      if (content) yield { name: `pdfs/contract-${id}.pdf`, content, isCompressible: false }
      else missing.push(id)
    }
  }
  if (missing.length > 0) yield missingPdfs(missing)
}

async function openStored({ services, log }: ReaderContext, path: string): Promise<Readable | undefined> {
  try {
    const file = await services.files.open(path)
    return await file.read()
  } catch (error) {
    log.error({ err: error, path }, 'a file is missing from storage')
    return undefined
  }
}

function missingPdfs(contracts: number[]): ZipEntry {
  const content = Readable.from([`The PDFs of these contracts could not be read: ${contracts.join(', ')}\n`])
  return { name: 'pdfs/missing.txt', content, isCompressible: true }
}

function storedPdfs({ read, accountId }: ReaderContext, after: number) {
  const statement = sql`
    select id, pdf_path as path from contracts
    where account_id = ${accountId} and id > ${after} and pdf_path is not null order by id limit ${BATCH}`
  return read(statement, StoredPdf)
}
