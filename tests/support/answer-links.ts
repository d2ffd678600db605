import { createHash } from 'node:crypto'
import type pg from 'pg'
import { answerToken } from '#server/customer-answers/answer-token.ts'

export interface SentLink {
  accountId: number
  contractId: number
  linkId: number
  /** What its address ends with. */
  token: string
}

/** A link for every contract of the database, as a reminder to the customer's address has it. */
export async function addAnswerLinks(owner: pg.Client): Promise<SentLink[]> {
  const keys = await owner.query<{ key: string }>('select unsubscribe_key() as key')
  const { rows } = await owner.query<Omit<SentLink, 'token'>>(`
    insert into answer_links (account_id, contract_id, term_number, contact_id, address, offer, created_at)
    select k.account_id, k.id, k.term_number, 0, lower(c.email), jsonb_build_object('customerId', k.customer_id,
      'termNumber', k.term_number, 'amountCents', k.amount_cents, 'renewalCycle', k.renewal_cycle,
      'renewalDate', k.renewal_date, 'renews', k.renews, 'noticePeriod', k.notice_period,
      'nextAmountCents', k.next_amount_cents, 'nextCycle', k.next_cycle), now()
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    order by k.id
    returning account_id as "accountId", contract_id as "contractId", id as "linkId"`)
  return rows.map((row) => ({ ...row, token: answerToken(keys.rows[0]?.key ?? '', row) }))
}

/** What somebody could try who has a link but not the server's key: so many tokens, none of which was ever sent. */
export function guessedTokens({ accountId, linkId, token }: SentLink, count: number): string[] {
  const seal = token.split('.').at(-1) ?? ''
  return Array.from({ length: count }, (_, n) => {
    const random = createHash('sha256').update(`guess ${n}`).digest('base64url')
    const kinds = [
      `${accountId}.a${linkId}.${random}`,
      `${accountId}.a${linkId + 1 + n}.${seal}`,
      `${accountId + 1 + n}.a${linkId}.${seal}`,
      `${accountId}.a${linkId}.${withOtherCharacter(seal, n % seal.length)}`,
      random,
    ]
    return kinds[n % kinds.length] ?? random
  })
}

function withOtherCharacter(text: string, place: number): string {
  return `${text.slice(0, place)}${text[place] === 'A' ? 'B' : 'A'}${text.slice(place + 1)}`
}
