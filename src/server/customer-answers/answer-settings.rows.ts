import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { columnsOf } from '#server/db/columns.ts'
import { AnswerSettingsEntity } from './customer-answer.entity.ts'

const SETTINGS = columnsOf(AnswerSettingsEntity, 's', ['hasLink', 'renewal', 'deadline', 'lateEnd', 'showsPdf'])

/** Whether and how customers answer; null where that was never chosen. */
export const AnswersField = z.object(SETTINGS.fields).nullable()

/** An AnswersField as JSON: of the account, or of one contract. */
export function answersJson(accountId: Sql, contractId?: Sql): Sql {
  const whose = contractId ? sql`s.contract_id = ${contractId}` : sql`s.contract_id is null`
  return sql`(
    select row_to_json(w) from (
      select ${SETTINGS} from answer_settings s where s.account_id = ${accountId} and ${whose}) w)`
}

/** A condition on contracts `k`: the customer has answered about the current term, and the owner has not decided yet. */
export const IS_ANSWERED = sql`exists (
  select from customer_answers w
  where w.account_id = k.account_id and w.contract_id = k.id and w.term_number = k.term_number and w.state = 'waiting')`
