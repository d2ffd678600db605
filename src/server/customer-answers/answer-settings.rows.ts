import sql, { raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { OFFERED } from '#shared/domain/customer-answer.ts'
import { columnName, columnsOf } from '#server/db/columns.ts'
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

/** What contracts `k` offer now, as `offerOf` has it. */
const OFFER_JSON = raw(`jsonb_build_object(${OFFERED.map((name) => `'${name}', k.${columnName(name)}`).join(', ')})`)

/**
 * A condition on contracts `k`: the customer has answered what they offer now, and the owner has not decided yet. An answer to
 * what was offered before the contract was changed stops nothing.
 */
export const IS_ANSWERED = sql`exists (
  select from customer_answers w
  where w.account_id = k.account_id and w.contract_id = k.id and w.term_number = k.term_number and w.state = 'waiting'
    and w.offer = ${OFFER_JSON})`
