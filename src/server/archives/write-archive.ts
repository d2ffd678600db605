import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Term } from '#shared/domain/contract-term.ts'
import { addDays } from '#shared/domain/day.ts'
import { IMPORT_QUIET_DAYS, mayBeDue, quietUntil } from '#shared/domain/replanning.ts'
import { AppError } from '#shared/errors.ts'
import type { ArchiveCounts, ArchiveLeftOut } from '#shared/schemas/archives.ts'
import type { ImportMail } from '#shared/schemas/imports.ts'
import { getCompany } from '#server/company/company.service.ts'
import { pointAtLogo } from '#server/company/logo.service.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { storedRows } from '#server/customers/row-quota.ts'
import { readDashboard, type DashboardView } from '#server/dashboard/dashboard.service.ts'
import { columnsOf } from '#server/db/columns.ts'
import { seeingTrash } from '#server/db/trash.ts'
import type { NewPdf } from '#server/files/store-pdf.ts'
import { lockImports } from '#server/imports/imports.service.ts'
import { planningOfNew } from '#server/ledger/schedule.ts'
import { announceAllMail } from '#server/reminders/announced-imports.service.ts'
import type { OpenArchive } from './archive-reader.ts'
import type { ReadSummary, StoredRow } from './reader-output.ts'
import { rowWriter, type RowTarget } from './write-rows.ts'
import { writeSettings } from './write-settings.ts'

type Figures = Pick<
  DashboardView,
  | 'totalCustomers'
  | 'totalContracts'
  | 'activeContracts'
  | 'totalRevenue'
  | 'monthlyRevenue'
  | 'overdue'
  | 'expiringSoon'
>

/** What an import of an archive brought, or would bring. */
export interface ArchiveResult {
  isPreview: boolean
  counts: ArchiveCounts
  /** As the dashboard then shows them; amounts in US dollars. */
  figures: Figures
  mail: ImportMail
  leftOut: ArchiveLeftOut
  /** A reply-to address that is not used until it is confirmed in this account. */
  unconfirmedReplyTo: string | null
  /** The archive turns on that customers are told of renewals. */
  confirmsRenewals: boolean
}

/** Files that are stored already, and that nothing points at yet. */
export interface StoredFiles {
  /** By the positions of their contracts. */
  pdfs: ReadonlyMap<number, NewPdf>
  logo: string | undefined
}

interface WriteOptions {
  files: StoredFiles
  isMuted: boolean
  isPreview: boolean
}

/**
 * Writes everything that an archive has, in the one transaction of the context, and says what the account then is like.
 * @throws ARCHIVE_ACCOUNT_USED
 */
export async function writeArchive(
  ctx: SubscriberContext,
  archive: OpenArchive,
  { files, isMuted, isPreview }: WriteOptions,
): Promise<ArchiveResult> {
  await lockImports(ctx)
  await refuseUsed(ctx)
  await removeTagsAndViews(ctx)
  const due = await seeingTrash(ctx.write, () => writeRows(ctx, archive, { pdfs: files.pdfs, isMuted, isPreview }))
  if (due) await ctx.write(planningOfNew(ctx, [due]))
  const { textsWithLinks, confirmsRenewals } = await writeSettings(ctx, archive)
  if (files.logo) await pointAtLogo(ctx, files.logo)
  const { waitingMessages, leftOutViews, missingPdfs } = archive.summary
  const { replyTo, isReplyToConfirmed } = await getCompany(ctx)
  return {
    isPreview,
    counts: countsOf(archive.summary),
    figures: await figuresOf(ctx),
    mail: await announceAllMail(ctx),
    leftOut: { missingPdfs, waitingMessages, views: leftOutViews, textsWithLinks },
    unconfirmedReplyTo: isReplyToConfirmed ? null : replyTo,
    confirmsRenewals,
  }
}

const StoredCount = z.object({ count: z.int() })

/** @throws ARCHIVE_ACCOUNT_USED if the account has customers or contracts, also in the trash */
export async function refuseUsed({ read, accountId }: ReaderContext): Promise<void> {
  const [stored] = await read(sql`select (${storedRows(accountId)}) as count`, StoredCount)
  if (stored?.count !== 0) throw new AppError('ARCHIVE_ACCOUNT_USED')
}

/** Nothing has the account's tags, and its views are replaced like its settings. */
async function removeTagsAndViews({ write, accountId }: SubscriberContext): Promise<void> {
  await write(sql`delete from tags where account_id = ${accountId}`)
  await write(sql`delete from saved_views where account_id = ${accountId}`)
}

/** Returns a contract about which a message may be due today, if there is one; or any other. */
async function writeRows(
  { write, accountId, caller, today, services }: SubscriberContext,
  archive: OpenArchive,
  target: Pick<RowTarget, 'pdfs' | 'isMuted' | 'isPreview'>,
): Promise<Term | undefined> {
  const now = services.now()
  const tomorrow = addDays(today, IMPORT_QUIET_DAYS)
  const insert = rowWriter(write, {
    accountId,
    now,
    quietUntil: quietUntil(today, caller.timeZone),
    today,
    tomorrow,
    ...target,
  })
  let due: Term | undefined
  for await (const [table, rows] of archive.batches()) {
    await insert(table, rows)
    if (table === 'customer-contacts') await forgetAddedContacts(write, accountId)
    if (table === 'contracts') due = rows.map(termOf).find((term) => mayBeDue(term, today)) ?? due ?? termOf(rows[0])
  }
  return due
}

const TERM = columnsOf(ContractEntity, 'k', ['status', 'renewalDate'])
const TermRow = z.object(TERM.fields)

function termOf(row: StoredRow | undefined): Term {
  return TermRow.parse(row)
}

/** Adding contacts is recorded as a change of their customers, which the archive has already. */
async function forgetAddedContacts(write: SubscriberContext['write'], accountId: number): Promise<void> {
  await write(sql`delete from activity where account_id = ${accountId} and at = now() and before ? 'contact'`)
}

function countsOf({ rows, pdfs, customers, contracts, inTrash }: ReadSummary): ArchiveCounts {
  const count = (table: string) => rows[table] ?? 0
  return {
    customers,
    contracts,
    inTrash,
    contacts: count('customer-contacts'),
    terms: count('contract-terms'),
    notes: count('notes'),
    tags: count('tags'),
    views: count('saved-views'),
    pdfs: pdfs.count,
    changes: count('activity'),
    messages: count('reminders'),
    closedAddresses: count('closed-addresses'),
  }
}

async function figuresOf(ctx: SubscriberContext): Promise<Figures> {
  const dashboard = await readDashboard(ctx, 50)
  const { totalCustomers, totalContracts, activeContracts, totalRevenue, monthlyRevenue, overdue, expiringSoon } =
    dashboard
  return { totalCustomers, totalContracts, activeContracts, totalRevenue, monthlyRevenue, overdue, expiringSoon }
}
