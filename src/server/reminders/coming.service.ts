import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isDay, type Day } from '#shared/domain/day.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import { plan, type Decision } from '#shared/domain/reminder-plan.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from '#shared/domain/reminder-preferences.ts'
import { AppError } from '#shared/errors.ts'
import type { ListComing } from '#shared/schemas/reminders.ts'
import type { ReaderContext } from '#server/context.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { candidateColumns, type Candidate } from './candidates.ts'
import { readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { SUBJECT_TABLES, subjectOf } from './reminder-subject.ts'
import { messageView, type MessageView } from './reminder.view.ts'

const OFFSETS = [...REMINDER_DAYS, ...FOLLOW_UP_DAYS.map((days) => -days)]

export interface ComingView {
  rows: MessageView[]
  /** Where the next page begins; null where there is none. */
  next: string | null
}

/** Most often the first statement fills a page; where contracts bring nothing, the others look further at once. */
const MOST_STATEMENTS = 4
const LOOKED_AT = 1000

/**
 * What the next 90 days will bring, the earliest first: what the ledger does not have yet. A page may have few rows, or
 * none, and another after it.
 */
export async function listComing(ctx: ReaderContext, { limit, cursor }: ListComing): Promise<ComingView> {
  const account = await readReminderAccount(ctx.read, ctx.accountId)
  const rows: MessageView[] = []
  let place = placeOf(cursor, ctx.today)
  for (let statements = 0; statements < MOST_STATEMENTS; statements += 1) {
    const most = statements === 0 ? limit : LOOKED_AT
    const found = await readComing(ctx, account, { ...place, limit: most })
    for (const row of found) {
      if (rows.length >= limit) return { rows, next: cursorOf(place) }
      rows.push(...comingOf(row, account).map((decision) => messageView(row, decision)))
      place = { day: row.day, id: row.contractId }
    }
    if (found.length < most) return { rows, next: null }
  }
  return { rows, next: cursorOf(place) }
}

interface Place {
  day: Day
  id: number
}

interface Coming extends Candidate {
  day: Day
}

/** Contracts with days on which there may be a message; whether there is one, and why not, the plan says. */
function readComing(
  { read, accountId, today }: ReaderContext,
  account: ReminderAccount,
  { day, id, limit }: Place & { limit: number },
): Promise<Coming[]> {
  const { through } = comingSpan(today)
  return read<Coming>(
    sql`
    with found as materialized (
      select d.at::date as day, x.id
      from generate_series(${day}::date, ${through}::date, interval '1 day') d(at) cross join lateral (
        select k.id from contracts k
          left join contract_reminder_preferences o on o.account_id = k.account_id and o.contract_id = k.id
        where k.account_id = ${accountId} and ${IS_OPEN} and ${wantsSome(account)}
          and k.renewal_date = any(array(select d.at::date + n from unnest(${OFFSETS}::int[]) n))
          and (d.at::date > ${day}::date or k.id > ${id})
        order by k.id limit ${limit}) x
      order by 1, 2 limit ${limit})
    select y.*, found.day from found cross join lateral (
      select ${candidateColumns(account)} from ${SUBJECT_TABLES}
      where k.account_id = ${accountId} and k.id = found.id) y
    order by found.day, found.id`,
    'each time',
  )
}

/** Whether contract `k` wants messages on day `d`; where its account wants none, only its own wish is looked for. */
function wantsSome({ settings }: ReminderAccount): Sql {
  const { enableNotifications, reminderDays, followUpDays } = settings
  return sql`
    ${enableNotifications ? sql`o.enable_notifications is not false` : sql`o.enable_notifications`}
    and (k.renewal_date - d.at::date = any(coalesce(o.reminder_days, ${reminderDays}::int[]))
      or d.at::date - k.renewal_date = any(coalesce(o.follow_up_days, ${followUpDays}::int[])))`
}

const SHOWN: Decision['verdict'][] = [
  'due',
  'muted',
  'no_address',
  'opted_out',
  'address_bounced',
  'unsubscribed',
  'complained',
]

function comingOf(row: Coming, account: ReminderAccount): Decision[] {
  if (row.day < row.since) return []
  const decisions = plan(subjectOf(row, account, row.history), { from: row.day, today: row.day })
  return decisions.filter(({ verdict }) => SHOWN.includes(verdict))
}

const Place = z.tuple([z.string().refine(isDay), z.int().min(0).max(2_147_483_647)])

function placeOf(cursor: string | undefined, today: Day): Place {
  if (cursor === undefined) return { day: today, id: 0 }
  try {
    const [day, id] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { day, id }
  } catch (error) {
    throw new AppError('CURSOR_INVALID', { cause: error })
  }
}

function cursorOf({ day, id }: Place): string {
  return Buffer.from(JSON.stringify([day, id])).toString('base64url')
}
