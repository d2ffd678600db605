import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { emailsStartOver, remindersStartOver } from '#shared/domain/replanning.ts'
import { tagKey } from '#shared/domain/tags.ts'
import { AppError } from '#shared/errors.ts'
import type { AnnounceMail } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { CHOSEN_RULE, ChosenRule } from '#server/notice-rules/chosen-rule.ts'
import {
  comingNotices,
  type Emailed,
  emailedColumns,
  EmailedRow,
  isDueToCustomer,
  isSameEmail,
  NEW_CONTRACT,
  withoutNoticed,
} from './coming-emails.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import {
  forecastOf,
  PAST_MESSAGE,
  PastMessageRow,
  ReadersRow,
  readersColumns,
  SUBJECT_TABLES,
} from './reminder-subject.ts'

/** Emails to customers that would go out in the coming 90 days. */
export interface AnnouncedMail {
  count: number
  first: Day | null
}

/**
 * The emails that the customer would get about a contract that is about to be saved. Where that changes neither whose it is
 * nor its renewal date, and does not open it again, only notices that it would not have got otherwise.
 * @throws CUSTOMER_NOT_FOUND, CONTRACT_NOT_FOUND, TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE
 */
export async function announceMail(ctx: ReaderContext, planned: AnnounceMail): Promise<AnnouncedMail> {
  return isOpen(planned.status)
    ? ctx.limits.during('previews', ctx.accountId, () => mailOfContract(ctx, planned))
    : NOTHING
}

async function mailOfContract(ctx: ReaderContext, planned: AnnounceMail): Promise<AnnouncedMail> {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const saved = planned.id === undefined ? undefined : await readSaved(ctx, account, planned.id)
  const row = asSaved(ctx, planned, { saved, ...(await readPlanned(ctx, planned, saved)) })
  const span = comingSpan(today)
  const noticed = comingNotices(row, account, span)
  if (saved && !emailsStartOver(saved, planned)) {
    const before = comingNotices(saved, account, span)
    return mailOn(noticed.filter((notice) => !before.some((earlier) => isSameEmail(earlier, notice))))
  }
  return mailOn([...noticed, ...withoutNoticed(forecastOf(row, account, span).filter(isDueToCustomer), noticed)])
}

function mailOn(messages: readonly Emailed[]): AnnouncedMail {
  const days = messages.map(({ day }) => day).toSorted()
  return { count: days.length, first: days[0] ?? null }
}

interface Known extends PlannedRow {
  saved: SavedContract | undefined
}

/** The contract as it will be once it is saved. */
function asSaved({ today }: ReaderContext, planned: AnnounceMail, { saved, ...customer }: Known): EmailedRow {
  const { customerId, renewalDate, status, endsOn, renewalCycle, nextCycle, renews, noticePeriod } = planned
  const startsOver = !saved || remindersStartOver(saved, planned)
  return {
    ...NEW_CONTRACT,
    ...saved,
    ...withoutUndefined({ renewalCycle, nextCycle, renews, noticePeriod }),
    ...customer,
    customerId,
    renewalDate,
    status,
    // One that opens again no longer ends either.
    endsOn: saved && isOpen(saved.status) && endsOn === undefined ? saved.endsOn : null,
    isMuted: saved?.mutedRenewalDate === renewalDate,
    since: startsOver ? today : saved.since,
  }
}

const PlannedRow = ReadersRow.extend({ chosen: ChosenRule.nullable(), history: z.array(PastMessageRow) })
type PlannedRow = z.output<typeof PlannedRow>

/**
 * Its customer, what the ledger has about its renewal date, and the rule for notices that will apply to it; none where notice
 * was given by letter.
 */
async function readPlanned(
  { read, accountId }: ReaderContext,
  { id = 0, customerId, renewalDate, tags }: AnnounceMail,
  saved: SavedContract | undefined,
): Promise<PlannedRow> {
  const keys = (tags ?? saved?.tags ?? []).map(tagKey)
  const ofTerm = (table: Sql) => sql`${table}.account_id = ${accountId} and ${table}.contract_id = ${id}
    and ${table}.term_number = ${saved?.termNumber ?? 1} and ${table}.renewal_date = ${renewalDate}`
  const statement = sql`
    select ${readersColumns(sql`c.account_id`)}, case when not exists (
        select from notices n where ${ofTerm(sql`n`)} and n.posted_on is not null) then ${CHOSEN_RULE} end as chosen, (
      select coalesce(json_agg(json_build_object(${PAST_MESSAGE})), '[]') from reminders r
      where ${ofTerm(sql`r`)} and r.channel <> 'letter') as history
    from customers c cross join lateral (
      select c.account_id, ${id}::int as id, c.id as customer_id, array(
        select t.name from tags t where t.account_id = c.account_id and t.key = any(${keys}::text[])) as tags) k
    where c.account_id = ${accountId} and c.id = ${customerId}`
  const [found] = await read(statement, PlannedRow)
  if (!found) throw new AppError('CUSTOMER_NOT_FOUND')
  return found
}

const OWN = columnsOf(ContractEntity, 'k', ['mutedRenewalDate', 'tags'])
const SavedContract = EmailedRow.extend(OWN.fields)
type SavedContract = z.output<typeof SavedContract>

async function readSaved({ read }: ReaderContext, account: ReminderAccount, id: number): Promise<SavedContract> {
  const statement = sql`
    select ${emailedColumns(account)}, ${OWN} from ${SUBJECT_TABLES} where k.account_id = ${account.id} and k.id = ${id}`
  const [row] = await read(statement, SavedContract)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return row
}

const NOTHING: AnnouncedMail = { count: 0, first: null }
