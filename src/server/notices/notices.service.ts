import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { amountFromSum } from '#shared/domain/money.ts'
import type { ListNotices } from '#shared/schemas/notices.ts'
import type { ReaderContext } from '#server/context.ts'
import { pageOf, type SortKey } from '#server/db/keyset.ts'
import { pageRow, pageStatement, pageView } from '#server/db/page.ts'
import { IS_GIVEN } from '#server/notice-rules/notice-emails.ts'
import { dueNotices } from './due-notices.ts'
import { FIRST_EMAIL, NOTICE, NoticeRow, PROVED_LETTER, recordedView, type NoticesView } from './notice.view.ts'

/** A page of the notices that are due in the next 90 days, of those that were given, or of windows that closed without notice. */
export function listNotices(ctx: ReaderContext, { show, letters, ...position }: ListNotices): Promise<NoticesView> {
  if (show === 'due') return dueNotices(ctx, { letters, ...position })
  const listed = show === 'given' ? IS_GIVEN : isMissed(ctx.today)
  return recordedNotices(ctx, letters ? sql`${listed} and ${isForLetter(show, ctx.today)}` : listed, {
    show,
    ...position,
  })
}

/** A condition on notices `n`: until the next term begins, a letter can be marked as mailed, or that be undone. */
function isForLetter(show: 'given' | 'missed', today: Day): Sql {
  return sql`${show === 'given' ? sql`n.posted_on is not null` : sql`'letter' = any(n.means)`}
    and n.renewal_date > ${today} and exists (
      select from contracts k where k.account_id = n.account_id and k.id = n.contract_id
        and k.term_number = n.term_number and k.renewal_date = n.renewal_date)`
}

const SumRow = z.object({ cents: z.coerce.bigint() })
const NoticePage = pageRow(NoticeRow)

async function recordedNotices(
  { read, accountId }: ReaderContext,
  condition: Sql,
  { show, ...position }: Omit<ListNotices, 'letters'>,
): Promise<NoticesView> {
  const byDay: SortKey = { name: `notices.${show}`, expression: 'n.last_day', type: 'date', id: 'n.id' }
  const page = pageOf(byDay, 'desc', position)
  const from = sql`from notices n where n.account_id = ${accountId} and ${condition}`
  const columns = sql`
    ${NOTICE}, ${FIRST_EMAIL} as email, ${PROVED_LETTER} as "letterReminderId",
    (select k.id from contracts k where k.account_id = n.account_id and k.id = n.contract_id) as "contractId"`
  const [[found], [sum]] = await Promise.all([
    read(pageStatement({ columns, from, page }), NoticePage),
    read(sql`select coalesce(sum(n.amount_cents), 0)::text as cents ${from}`, SumRow),
  ])
  const listed = pageView(found, page, ({ cursor: _cursor, ...row }) => recordedView(row))
  return { ...listed, amount: amountFromSum(sum?.cents ?? 0n) }
}

/** The window closed without notice. A contract in the trash has none that anybody missed. */
function isMissed(today: Day): Sql {
  return sql`n.last_day < ${today} and not (${IS_GIVEN}) and (n.contract_id is null or exists (
    select from contracts k where k.account_id = n.account_id and k.id = n.contract_id))`
}
