import sql from 'sql-template-tag'
import { answerDeadline, answerPreferencesOf, offerOf } from '#shared/domain/customer-answer.ts'
import { isAboutAnswer, isReminder } from '#shared/domain/reminder-plan.ts'
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

/** The answer that a message tells of; undefined if it tells of none. */
export async function answerToTell(
  write: Write,
  accountId: number,
  { row: { kind, offset, termNumber }, contract: { contractId } }: { row: DueReminder; contract: SubjectRow },
): Promise<AnswerToTell | undefined> {
  if (!isAboutAnswer(kind)) return undefined
  const statement = sql`
    select ${ANSWER} from customer_answers w
    where w.account_id = ${accountId} and w.contract_id = ${contractId} and w.term_number = ${termNumber} and w.number = ${offset}`
  const [answer] = await write(statement, AnswerRow)
  if (!answer) throw new Error('An email about an answer has its answer')
  return { kind, answer }
}
