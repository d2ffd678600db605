import sql from 'sql-template-tag'
import { NO_WINDOW } from '#shared/domain/notice-window.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { PostNotice } from '#shared/schemas/notices.ts'
import type { SubscriberContext } from '#server/context.ts'
import { replan } from '#server/ledger/schedule.ts'
import {
  candidateColumns,
  NoticeCandidate,
  NOTICED_TABLES,
  type WithWindow,
} from '#server/notice-rules/noticed-contracts.ts'
import { windowOfContract } from '#server/notice-rules/chosen-rule.ts'
import { recording } from '#server/notice-rules/record-windows.ts'
import { comingView, type NoticeView } from './notice.view.ts'

/**
 * Records that the letter with the notice of a contract's current term was posted, or handed over, on a day of its window;
 * again, to correct that. @throws CONTRACT_NOT_FOUND, NOTICE_NOT_DUE, NOTICE_LETTER_DOES_NOT_COUNT, NOTICE_DAY_OUTSIDE
 */
export async function postNotice(ctx: SubscriberContext, { id, on, mailNumber }: PostNotice): Promise<NoticeView> {
  const { write, accountId, today, services } = ctx
  const found = await noticeOf(ctx, id)
  const { contract, rule, days } = found
  if (!rule.means.includes('letter')) throw new AppError('NOTICE_LETTER_DOES_NOT_COUNT')
  if (on < days.from || on > days.through || on > today)
    throw new AppError('NOTICE_DAY_OUTSIDE', { values: { from: days.from, through: days.through } })
  // Before the planner has, where the rule was chosen a moment ago.
  await write(recording(accountId, [found]))
  await write(sql`
    update notices set posted_on = ${on}, mail_number = ${mailNumber}, posted_at = ${services.now()}
    where account_id = ${accountId} and contract_id = ${id} and term_number = ${contract.termNumber}
      and renewal_date = ${contract.renewalDate}`)
  return { ...comingView(found, { today }), postedOn: on, mailNumber }
}

/** Undoes that; the email, which the letter stood for, is planned again. @throws CONTRACT_NOT_FOUND, NOTICE_NOT_POSTED */
export async function unpostNotice({ write, accountId, services }: SubscriberContext, { id }: ById): Promise<void> {
  await replan(write, { accountId, now: services.now() })
  const contract = sql`from contracts k where k.account_id = ${accountId} and k.id = ${id}`
  const [found] = await write(sql`select k.id ${contract}`)
  if (!found) throw new AppError('CONTRACT_NOT_FOUND')
  const [undone] = await write(sql`
    update notices n set posted_on = null, mail_number = null, posted_at = null
    where n.account_id = ${accountId} and n.contract_id = ${id} and n.posted_on is not null
      and (n.term_number, n.renewal_date) = (select k.term_number, k.renewal_date ${contract}) returning n.id`)
  if (!undone) throw new AppError('NOTICE_NOT_POSTED')
}

async function noticeOf({ write, accountId }: SubscriberContext, id: number): Promise<WithWindow> {
  const statement = sql`
    select ${candidateColumns()} from ${NOTICED_TABLES}
    where k.account_id = ${accountId} and k.id = ${id} for no key update of k`
  const [contract] = await write(statement, NoticeCandidate)
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  const window = windowOfContract(contract)
  const rule = contract.chosen?.rule
  if (!rule || !window) throw new AppError('NOTICE_NOT_DUE', { values: { why: 'no rule applies to it' } })
  if (!window.days) throw new AppError('NOTICE_NOT_DUE', { values: { why: NO_WINDOW[window.why] } })
  return { contract, rule, days: window.days, derivation: window.derivation }
}
