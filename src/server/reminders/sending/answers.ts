import sql from 'sql-template-tag'
import { z } from 'zod'
import { answerDeadline, answerPreferencesOf, offerOf } from '#shared/domain/customer-answer.ts'
import { isAboutAnswer, isReminder } from '#shared/domain/reminder-plan.ts'
import { IS_OPEN } from '#server/contracts/contract.rows.ts'
import { linksFor, type LinkedOffer } from '#server/customer-answers/answer-links.ts'
import { answerToken } from '#server/customer-answers/answer-token.ts'
import { ANSWER, AnswerRow } from '#server/customer-answers/answer.rows.ts'
import type { Write } from '#server/db/database.ts'
import type { AnswerToTell } from '#server/reminders/letters/answer-letter.ts'
import type { Planning } from '#server/reminders/notices.ts'
import { asReadBy, type SubjectRow } from '#server/reminders/reminder-subject.ts'
import type { DueReminder } from './due-reminders.ts'

/** A message of an email, and its contract. */
interface About {
  row: Pick<DueReminder, 'kind' | 'recipient' | 'contactId'>
  contract: SubjectRow
}

interface Linking extends Planning {
  publicUrl: string
  linkKey: string
}

/** Where the reader of an email answers, by contract. Its messages are to one address. */
export async function answerUrls(
  write: Write,
  mail: readonly About[],
  { account, now, today, publicUrl, linkKey }: Linking,
): Promise<Map<number, string>> {
  const linked = mail.filter((about) => canBeAnswered(about, { account, today })).map(linkedOffer)
  const byContract = new Map(linked.map((one) => [one.contractId, one]))
  const links = await linksFor(write, account.id, { linked: [...byContract.values()], now })
  const urlOf = (linkId: number) => `${publicUrl}/answer/${answerToken(linkKey, { accountId: account.id, linkId })}`
  return new Map([...links].map(([contractId, linkId]) => [contractId, urlOf(linkId)]))
}

function canBeAnswered({ row, contract }: About, { account, today }: Pick<Planning, 'account' | 'today'>): boolean {
  const isAsked = isReminder(row.kind) || row.kind === 'notice'
  if (row.recipient !== 'customer' || !isAsked) return false
  const preferences = answerPreferencesOf(account.answers, contract.ownAnswers)
  const deadline = answerDeadline(contract, preferences)
  return preferences.hasLink && contract.endsOn === null && (deadline === null || today <= deadline)
}

function linkedOffer({ row, contract }: About): LinkedOffer {
  const { contractId, termNumber, email } = asReadBy(contract, row.contactId)
  return {
    contractId,
    termNumber,
    contactId: row.contactId,
    address: email?.toLowerCase() ?? '',
    offer: offerOf(contract),
  }
}

/**
 * The answers that messages tell of, by the messages' IDs. Of a message about an answer, none is there if it was changed or
 * undone since: it has nothing to tell any more.
 */
export async function answersToTell(
  write: Write,
  accountId: number,
  rows: readonly DueReminder[],
): Promise<Map<number, AnswerToTell>> {
  const about = rows.flatMap(({ id, kind, offset, termNumber, contractId }) =>
    isAboutAnswer(kind) ? [{ id, kind, offset, termNumber, contractId }] : [],
  )
  if (about.length === 0) return new Map()
  const statement = sql`
    select n.id as "messageId", ${ANSWER} from json_to_recordset(${JSON.stringify(about)}::json)
        as n(id float8, "offset" int, "termNumber" int, "contractId" int)
      join customer_answers w on w.contract_id = n."contractId" and w.term_number = n."termNumber" and w.number = n."offset"
      join contracts k on k.account_id = w.account_id and k.id = w.contract_id
    where w.account_id = ${accountId} and w.state <> 'withdrawn'
      and (w.agreed is null or case w.choice when 'end'
        then k.term_number = w.term_number and (k.ends_on is not null or not (${IS_OPEN}))
        else k.term_number > w.term_number end)`
  const answers = await write(statement, AnswerRow.extend({ messageId: z.int() }))
  const kinds = new Map(about.map(({ id, kind }) => [id, kind]))
  return new Map(
    answers.flatMap(({ messageId, ...answer }) => {
      const kind = kinds.get(messageId)
      return kind ? [[messageId, { kind, answer }] as const] : []
    }),
  )
}
