import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { daysBetween } from '#shared/domain/day.ts'
import { deliveryOf } from '#shared/domain/notice-presets.ts'
import type { LetterDelivery } from '#shared/domain/notice-window.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { PostNotice } from '#shared/schemas/notices.ts'
import type { SubscriberContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { isMarkedSo, letterMailed, letterNotMailed, type LetterOf, type MarkedLetter } from '#server/ledger/letters.ts'
import { replan } from '#server/ledger/schedule.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import type { RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { recording } from '#server/notice-rules/record-windows.ts'
import { noticeByLetter } from './due-notice.ts'
import { proveMark, proveWithdrawal } from './letter-proof.ts'
import { textOfLetter } from './notice-letter.service.ts'
import { comingView, PROVED_LETTER, type NoticeView } from './notice.view.ts'

/**
 * Records that the letter with the notice of a contract's current term was posted, or handed over, on a day of its window;
 * again, to correct that. It is a message of the ledger from then on, and proved, unless the same was said before.
 * @throws CONTRACT_NOT_FOUND, NOTICE_NOT_DUE, NOTICE_WINDOW_NOT_COMPUTED, NOTICE_LETTER_DOES_NOT_COUNT, NOTICE_DAY_OUTSIDE, NOTICE_DELIVERY_REQUIRED, NOTICE_CORRECTED_TOO_OFTEN
 */
export async function postNotice(
  ctx: SubscriberContext,
  { id, on, mailNumber, delivery: said }: PostNotice,
): Promise<NoticeView> {
  const { write, accountId, today, services } = ctx
  const found = await noticeByLetter({ read: write, accountId }, id, { isChanging: true })
  const { contract, days } = found
  if (on < days.from || on > days.through || on > today)
    throw new AppError('NOTICE_DAY_OUTSIDE', { values: { from: days.from, through: days.through } })
  const delivery = requiredDelivery(found.rule, { said, mailNumber })
  const { customerId, customerName, termNumber, renewalDate } = contract
  const mailed = { contractId: id, termNumber, renewalDate, on, mailNumber, delivery }
  const [same] = await write(markedSo(mailed, accountId), SameRow)
  if (same) return { ...comingView(found, { today }), postedOn: on, mailNumber, delivery, ...same }
  // Before the planner has, where the rule was chosen a moment ago.
  await write(recording(accountId, [found]))
  await write(sql`
    update notices set posted_on = ${on}, mail_number = ${mailNumber}, posted_at = ${services.now()},
      delivery = ${delivery}
    where ${isOf(mailed, accountId)}`)
  const text = await textOfLetter({ read: write, accountId }, { id, on })
  const daysLeft = daysBetween(on, renewalDate)
  const letter = { ...mailed, customerId, customerName, daysLeft, ...text }
  const [row] = await write(letterMailed(letter, { accountId, now: services.now() }), LetterRow)
  if (!row) throw new Error('A letter was neither added nor corrected')
  const { id: reminderId, isNew, subject, body } = row
  await proveMark(ctx, {
    reminderId,
    kind: isNew ? 'mailed' : 'corrected',
    found,
    on,
    mailNumber,
    delivery,
    subject,
    body,
  })
  return { ...comingView(found, { today }), postedOn: on, mailNumber, delivery, letterReminderId: reminderId }
}

/** How the letter was delivered, as far as that was said. @throws NOTICE_DELIVERY_REQUIRED if it has to be, by the law */
function requiredDelivery(
  { preset }: Pick<RuleRow, 'preset'>,
  { said, mailNumber }: { said: LetterDelivery | null; mailNumber: string | null },
): LetterDelivery | null {
  const { requiredMail } = deliveryOf(preset)
  if (said !== null || requiredMail === null) return said
  if (mailNumber === null) throw new AppError('NOTICE_DELIVERY_REQUIRED', { values: { mail: requiredMail } })
  return 'certified_mail'
}

/** Selects the notice where the same was said of its letter before, so that there is nothing to correct or to prove. */
function markedSo(letter: MarkedLetter, accountId: number): Sql {
  return sql`
    select ${PROVED_LETTER} as "letterReminderId" from notices n where ${isOf(letter, accountId)} and posted_on = ${letter.on}
      and mail_number is not distinct from ${letter.mailNumber}
      and delivery is not distinct from ${letter.delivery} and ${isMarkedSo(letter, accountId)}`
}

function isOf({ contractId, termNumber, renewalDate }: LetterOf, accountId: number): Sql {
  return sql`account_id = ${accountId} and contract_id = ${contractId} and term_number = ${termNumber}
    and renewal_date = ${renewalDate}`
}

const SameRow = z.object({ letterReminderId: z.int().nullable() })
const LetterRow = z.object({
  id: z.int(),
  isNew: z.boolean(),
  subject: z.string().nullable(),
  body: z.string().nullable(),
})
const WithdrawnRow = z.object({ id: z.int() })
const OF_TERM = columnsOf(NoticeEntity, 'n', ['termNumber', 'renewalDate'])
const UndoneRow = z.object({ ...OF_TERM.fields, contractId: z.int() })

/** Undoes that; the email, which the letter stood for, is planned again. @throws CONTRACT_NOT_FOUND, NOTICE_NOT_POSTED */
export async function unpostNotice(ctx: SubscriberContext, { id }: ById): Promise<void> {
  const { write, accountId, services } = ctx
  await replan(write, { accountId, now: services.now() })
  const contract = sql`from contracts k where k.account_id = ${accountId} and k.id = ${id}`
  const [found] = await write(sql`select k.id ${contract}`)
  if (!found) throw new AppError('CONTRACT_NOT_FOUND')
  const statement = sql`
    update notices n set posted_on = null, mail_number = null, posted_at = null, delivery = null
    where n.account_id = ${accountId} and n.contract_id = ${id} and n.posted_on is not null
      and (n.term_number, n.renewal_date) = (select k.term_number, k.renewal_date ${contract}) returning ${OF_TERM}, n.contract_id as "contractId"`
  const [undone] = await write(statement, UndoneRow)
  if (!undone) throw new AppError('NOTICE_NOT_POSTED')
  const [letter] = await write(letterNotMailed(undone, accountId), WithdrawnRow)
  if (letter) await proveWithdrawal(ctx, letter.id)
}
