import sql from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import type { ReaderContext } from '#server/context.ts'
import { announceImportMail, type NewContract } from '#server/reminders/announced-mail.service.ts'
import { addresseeColumns } from '#server/reminders/reminder-subject.ts'
import type { ContractBatch, SheetReader } from './batches.ts'
import { matched, named, terms } from './match-customers.ts'
import { asking } from './survey.ts'

/** Asks where the contracts of a file would send emails to customers in the coming 90 days. @throws IMPORT_SENDS_MAIL */
export async function askAboutMail(ctx: ReaderContext, sheet: SheetReader): Promise<void> {
  const mail = await announceImportMail(ctx, newContracts(ctx, sheet))
  if (mail.emails === 0) return
  throw asking('IMPORT_SENDS_MAIL', {
    parameter: 'reminders',
    choices: [
      { value: 'on', label: 'Write about these' },
      { value: 'off', label: 'Do not write about these' },
    ],
    mail,
  })
}

/** A customer that an import creates has no address yet, so that the others are all. */
async function* newContracts(ctx: ReaderContext, sheet: SheetReader): AsyncGenerator<NewContract[]> {
  const { from, through } = comingSpan(ctx.today)
  const dates = renewalDatesWithOccasions({ from, today: through })
  for await (const { batch } of sheet.batches()) {
    if (batch.kind !== 'contracts') continue
    const { renewalDate } = batch.columns
    if (dates.some((date) => renewalDate.includes(date))) yield renewingOn(dates, ctx, batch)
  }
}

/** The open contracts of a batch that renew on one of these dates, with the customers that they name. */
function renewingOn(dates: Day[], { read, accountId }: ReaderContext, batch: ContractBatch): Promise<NewContract[]> {
  return read<NewContract>(
    sql`
    with ${named(batch)}, ${matched(batch, accountId)},
    soon as materialized (
      select m.customer_id, i.renewal_date, i.status from matched m join ${terms(batch)} using (place)
      where m.matches = 1 and i.status in ('pending', 'active') and i.renewal_date = any(${dates}::date[])),
    reached as materialized (
      select c.id, c.name, ${addresseeColumns(sql`c.account_id`)} from customers c
      where c.account_id = ${accountId} and c.id = any(array(select customer_id from soon)))
    select r.id as "customerId", r.name as "customerName", r.email, r."sendNotifications", r."hasBounced", r.closed,
      s.renewal_date as "renewalDate", s.status
    from soon s join reached r on r.id = s.customer_id`,
    'each time',
  )
}
