import sql from 'sql-template-tag'
import { z } from 'zod'
import { VERIFY_AT } from '#shared/certificates/certificate.ts'
import type { AnswerChoice, AnswerState, Offer } from '#shared/domain/customer-answer.ts'
import { hideOwnLinks } from '#shared/domain/own-links.ts'
import type { ProofPart } from '#shared/domain/proof-chain.ts'
import { actorColumns, ActorFields, actorView } from '#server/activity/actor-name.ts'
import { Company, COMPANY_JSON, companyOf } from '#server/company/company.view.ts'
import type { Read } from '#server/db/database.ts'
import { amountText, dateText, priceText, RENEWS_NAMES } from '#server/mail/formats.ts'
import type { Fact } from '#server/mail/letter.ts'
import type { NextTerm } from './answer-shown.ts'
import type { AnswerRow } from './answer.rows.ts'
import type { Agreed } from './customer-answer.entity.ts'

// What is proved of an answer: that the customer gave it, that the customer changed it, and what the owner decided.

interface Parties {
  company: Company
  ownerEmail: string | null
  customerName: string
  contactName: string | null
  /** Where the link was sent. */
  address: string
}

interface Contract {
  contractId: number | null
  title: string | null
  reference: string | null
  offer: Offer
}

export interface ProvedAnswer extends Parties, Contract {
  given: Omit<AnswerRow, 'id' | 'decidedAt' | 'decidedBy' | 'reply'>
  /** The next term as it was offered. */
  next: NextTerm
  /** The answer that it replaces. */
  replaces: number | undefined
}

/** What is proved when a customer answers. */
export function partsOfAnswer(answer: ProvedAnswer, publicUrl: string): ProofPart[] {
  const { given, replaces, next, address } = answer
  const facts: Fact[] = [
    ...answerFacts(given),
    ['Effect', effectText(given)],
    ...agreedFacts(given.agreed),
    ...factIf('Replaces', replaces !== undefined && `Answer ${replaces}`),
    ['Given by the link', `${publicUrl}/answer/[hidden]`],
    ['Link sent to', address],
    ...factIf('Network', given.network),
    [VERIFY_AT, `${publicUrl}/verify`],
  ]
  return [
    partiesPart(answer),
    contractPart(answer, [
      ['Next term', `${dateText(next.startDate)} to ${dateText(next.renewalDate)}`],
      ['Price of the next term', priceText(next)],
    ]),
    { name: 'answer', title: 'Answer', facts, text: hideOwnLinks(given.words ?? '', publicUrl) },
  ]
}

/** What is proved of an answer that its customer has changed. */
export function partsOfChange(
  earlier: Pick<AnswerRow, 'state' | 'agreed'>,
  { id, publicUrl }: { id: number; publicUrl: string },
): ProofPart[] {
  const facts: Fact[] = [
    ['Changed by', 'The customer, with the link that had given it'],
    ['Now counts', `Answer ${id}`],
    ['Undone', earlier.agreed ? 'What this answer had done to the contract' : 'Nothing: the answer was waiting'],
    ['Link', `${publicUrl}/answer/[hidden]`],
    [VERIFY_AT, `${publicUrl}/verify`],
  ]
  return [{ name: 'change', title: 'Change', facts }]
}

export interface ProvedDecision extends Parties, Contract {
  answer: AnswerRow
  decision: {
    state: Extract<AnswerState, 'accepted' | 'declined' | 'overtaken'>
    reply: string | null
    agreed: Agreed | null
  }
  decidedBy: string
}

/** What is proved when the owner accepts, declines or dismisses an answer. */
export function partsOfDecision(decided: ProvedDecision, publicUrl: string): ProofPart[] {
  const { answer, decision, decidedBy } = decided
  const { state, reply, agreed } = decision
  const isTold = state !== 'overtaken'
  const written = reply === null ? null : hideOwnLinks(reply, publicUrl)
  const facts: Fact[] = [
    ['Decision', DECISIONS[state]],
    ...agreedFacts(agreed),
    ['Decided by', decidedBy],
    ...factIf('Note', !isTold && written),
    [VERIFY_AT, `${publicUrl}/verify`],
  ]
  const given: Fact[] = [...answerFacts(answer), ['Recorded on (UTC)', answer.answeredAt.toISOString()]]
  return [
    partiesPart(decided),
    contractPart(decided, []),
    { name: 'answer', title: 'Answer that was decided about', facts: given },
    { name: 'decision', title: 'Decision', facts, text: (isTold && written) || '' },
  ]
}

function partiesPart({ company, ownerEmail, customerName, contactName }: Parties): ProofPart {
  return {
    name: 'parties',
    title: 'Parties',
    facts: [
      ['Sender', company.name ?? ownerEmail ?? ''],
      ...factIf('Postal address', company.postalAddress),
      ...factIf('Account holder', ownerEmail),
      ['Customer', customerName],
      ...factIf('Contact', contactName),
    ],
  }
}

function contractPart({ contractId, title, reference, offer }: Contract, offered: Fact[]): ProofPart {
  const { termNumber, renewalDate, renews, noticePeriod } = offer
  return {
    name: 'contract',
    title: contractId === null ? 'Contract' : `Contract ${contractId}`,
    facts: [
      ...factIf('Contract', title),
      ...factIf('Reference', reference),
      ['Term', String(termNumber)],
      ['Amount', priceText(offer)],
      [renews === 'never' ? 'End date' : 'Renewal date', dateText(renewalDate)],
      ['Renewal', RENEWS_NAMES[renews]],
      ...factIf('Notice period', noticePeriod),
      ...offered,
    ],
  }
}

const CHOICES: Record<AnswerChoice, string> = {
  renew: 'Renew',
  change: 'Ask for a change',
  end: 'Do not renew',
}

function answerFacts(answer: Pick<AnswerRow, 'choice' | 'wishedAmountCents' | 'wishedDate' | 'reason'>): Fact[] {
  const { choice, wishedAmountCents, wishedDate, reason } = answer
  return [
    ['Answer', CHOICES[choice]],
    ...factIf('Requested amount', wishedAmountCents !== null && amountText(wishedAmountCents)),
    ...factIf('Requested renewal date', wishedDate && dateText(wishedDate)),
    ...factIf('Reason', reason),
  ]
}

function effectText({ agreed, isLate }: Pick<AnswerRow, 'agreed' | 'isLate'>): string {
  if (agreed) return 'Took effect at once'
  return isLate
    ? 'Came after the last day for notice, and waits for a decision about it'
    : 'Waits for a decision about it'
}

function agreedFacts(agreed: Agreed | null): Fact[] {
  if (!agreed) return []
  if ('endsOn' in agreed) return [['Contract ends on', dateText(agreed.endsOn)]]
  return [
    ['Renewed', `${dateText(agreed.termStart)} to ${dateText(agreed.renewalDate)}`],
    ['New amount', priceText(agreed)],
  ]
}

const DECISIONS: Record<ProvedDecision['decision']['state'], string> = {
  accepted: 'Accepted',
  declined: 'Declined',
  overtaken: 'Dismissed: the contract was no longer as it had been offered, and the customer was not told',
}

function factIf(label: string, value: string | false | null | undefined): Fact[] {
  return value ? [[label, value]] : []
}

const DeciderRow = z.object({ company: Company, ownerEmail: z.string().nullable(), ...ActorFields })

/** The account as a party, and who decided, by name. */
export async function readDecider(read: Read, accountId: number, actor: string) {
  const statement = sql`
    select ${COMPANY_JSON} as company, a.email as "ownerEmail", ${actorColumns(accountId, sql`${actor}::text`)}
    from accounts a left join companies co on co.account_id = a.id where a.id = ${accountId}`
  const [row] = await read(statement, DeciderRow)
  if (!row) throw new Error('An account in its own transaction has disappeared')
  const view = actorView(row)
  const name = view?.name ?? row.ownerEmail ?? ''
  return {
    company: companyOf(row.company),
    ownerEmail: row.ownerEmail,
    decidedBy: view?.kind === 'key' ? `API key ${name}` : name,
  }
}
