import sql from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Offer } from '#shared/domain/customer-answer.ts'
import type { Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { reopening } from '#shared/domain/renewal.ts'
import { emailsStartOver, remindersStartOver } from '#shared/domain/replanning.ts'
import { asSettled } from '#shared/domain/settled-contract.ts'
import { tagKey } from '#shared/domain/tags.ts'
import { AppError } from '#shared/errors.ts'
import type { AnnounceMail } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { IS_ANSWERED } from '#server/customer-answers/answer-settings.rows.ts'
import { columnsOf } from '#server/db/columns.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { CHOSEN_RULE, ChosenRule } from '#server/notice-rules/chosen-rule.ts'
import {
  comingEmails,
  type ComingEmails,
  emailedColumns,
  EmailedRow,
  NEW_CONTRACT,
  newEmails,
  settledEmailed,
} from './coming-emails.ts'
import { IS_OF_TERM } from './plan-notices.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { PAST_MESSAGE, PastMessageRow, ReadersRow, readersColumns, SUBJECT_TABLES } from './reminder-subject.ts'

/** Emails to customers that would go out in the coming 90 days. */
export interface AnnouncedMail {
  count: number
  first: Day | null
  /** Whether they come in addition to others, which go out anyway and are not counted. */
  isAddition: boolean
}

/**
 * The emails that the customer would get about a contract that is about to be saved. Where that changes neither whose it is
 * nor its renewal date, and does not open it again, only those that it would not have got otherwise.
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
  const row = await asSaved(ctx, planned, saved)
  const before = saved && settledEmailed({ ...saved, ...withoutUndefined(planned.before ?? {}) }, today)
  const span = comingSpan(today)
  const coming = comingEmails(row, account, span)
  if (!before || emailsStartOver(saved, planned) || row.renewalDate !== before.renewalDate) return mailOf(coming, false)
  return mailOf(newEmails(coming, comingEmails(before, account, span)), true)
}

function mailOf({ notices, reminders }: ComingEmails, isAddition: boolean): AnnouncedMail {
  const days = [...notices, ...reminders].map(({ day }) => day).toSorted()
  return { count: days.length, first: days[0] ?? null, isAddition }
}

/** The contract as it will be once it is saved, and renewed or expired if its renewal date has come. */
async function asSaved(
  ctx: ReaderContext,
  planned: AnnounceMail,
  saved: SavedContract | undefined,
): Promise<EmailedRow> {
  const { customerId, startDate, renewalDate, status, endsOn, renewalCycle, nextCycle, renews, noticePeriod } = planned
  const terms = {
    ...NEW_CONTRACT,
    ...saved,
    ...withoutUndefined({ renewalCycle, nextCycle, renews, noticePeriod }),
    startDate: startDate ?? saved?.startDate ?? renewalDate,
    customerId,
    renewalDate,
    status,
  }
  const reopens = saved && (!isOpen(saved.status) || (saved.endsOn !== null && endsOn === null))
  const settled = asSettled(reopens ? reopening(terms, status, ctx.today) : terms, ctx.today)
  const startsOver = !saved || remindersStartOver(saved, planned)
  const isRenewed = settled.renewalDate !== renewalDate
  return {
    ...settled,
    isMuted: saved?.mutedRenewalDate === settled.renewalDate,
    since: startsOver || (isRenewed && saved.since < ctx.today) ? ctx.today : saved.since,
    ...(await readPlanned(ctx, settled, planned.tags ?? saved?.tags ?? [])),
  }
}

const PlannedRow = ReadersRow.extend({
  chosen: ChosenRule.nullable(),
  history: z.array(PastMessageRow),
  isAnswered: z.boolean(),
})
type PlannedRow = z.output<typeof PlannedRow>

type Terms = Offer & Pick<EmailedRow, 'contractId'>

/**
 * Its customer, what the ledger has about its renewal date, whether the customer has answered what it will offer, and the
 * rule for notices that will apply to it; none where notice was given by letter.
 */
async function readPlanned(
  { read, accountId }: ReaderContext,
  terms: Terms,
  tags: readonly string[],
): Promise<PlannedRow> {
  const { contractId, customerId, termNumber, amountCents, renewalCycle, renewalDate } = terms
  const { renews, noticePeriod, nextAmountCents, nextCycle } = terms
  const statement = sql`
    select ${readersColumns(sql`c.account_id`)}, case when not exists (
        select from notices n where ${IS_OF_TERM} and n.posted_on is not null) then ${CHOSEN_RULE} end as chosen, (
      select coalesce(json_agg(json_build_object(${PAST_MESSAGE})), '[]') from reminders r
      where r.account_id = k.account_id and r.contract_id = k.id and r.term_number = k.term_number
        and r.renewal_date = k.renewal_date and r.channel <> 'letter') as history, ${IS_ANSWERED} as "isAnswered"
    from customers c cross join lateral (
      select c.account_id, ${contractId}::int as id, c.id as customer_id, ${termNumber}::int as term_number,
        ${amountCents}::bigint as amount_cents, ${renewalCycle}::text as renewal_cycle,
        ${renewalDate}::date as renewal_date, ${renews}::text as renews, ${noticePeriod}::text as notice_period,
        ${nextAmountCents}::bigint as next_amount_cents, ${nextCycle}::text as next_cycle, array(
        select t.name from tags t where t.account_id = c.account_id and t.key = any(${tags.map(tagKey)}::text[])) as tags) k
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

const NOTHING: AnnouncedMail = { count: 0, first: null, isAddition: false }
