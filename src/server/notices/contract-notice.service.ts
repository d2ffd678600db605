import sql from 'sql-template-tag'
import { warningReached } from '#shared/domain/notice-warning.ts'
import { AppError } from '#shared/errors.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext } from '#server/context.ts'
import { windowByRule } from '#server/notice-rules/chosen-rule.ts'
import { candidateColumns, NoticeCandidate, NOTICED_TABLES } from '#server/notice-rules/noticed-contracts.ts'
import { noticesAtRisk } from '#server/reminders/unsent-notices.ts'
import { comingView, emailView, FIRST_EMAIL, NoticeRow, PROVED_LETTER, type NoticeView } from './notice.view.ts'

/** The notice of a contract's current term. */
export interface ContractNoticeView {
  /** Null if none is due, as no rule applies or it gives no window. */
  notice: NoticeView | null
  /** A letter was posted, or an email sent that counts. */
  isGiven: boolean
}

const ContractRow = NoticeCandidate.extend({
  recorded: NoticeRow.pick({
    postedOn: true,
    mailNumber: true,
    delivery: true,
    email: true,
    letterReminderId: true,
  }).nullable(),
})

/** The notice of a contract's current term, and whether it was given. @throws CONTRACT_NOT_FOUND */
export async function noticeOfContract(ctx: ReaderContext, { id }: ById): Promise<ContractNoticeView> {
  const { read, accountId, today } = ctx
  const statement = sql`
    select ${candidateColumns()}, (
      select json_build_object('postedOn', n.posted_on, 'mailNumber', n.mail_number, 'delivery', n.delivery, 'email', ${FIRST_EMAIL},
        'letterReminderId', ${PROVED_LETTER})
      from notices n where n.account_id = k.account_id and n.contract_id = k.id and n.term_number = k.term_number
        and n.renewal_date = k.renewal_date) as recorded
    from ${NOTICED_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const [found] = await read(statement, ContractRow)
  if (!found) throw new AppError('CONTRACT_NOT_FOUND')
  const { recorded, ...contract } = found
  const window = windowByRule(contract)
  if (!window) return { notice: null, isGiven: false }
  const { postedOn = null, mailNumber = null, delivery = null, email = null, letterReminderId = null } = recorded ?? {}
  const isGiven = postedOn !== null || email !== null
  const isClosing = !isGiven && warningReached(window.days.through, today) !== undefined
  const reasons = isClosing ? await noticesAtRisk(ctx, [id]) : undefined
  const coming = comingView({ contract, ...window }, { today, reason: reasons?.get(id) })
  return { notice: { ...coming, postedOn, mailNumber, delivery, ...emailView(email), letterReminderId }, isGiven }
}
