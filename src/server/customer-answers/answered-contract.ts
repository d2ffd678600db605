import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { accessOf, isPaying } from '#shared/domain/access.ts'
import {
  answerPreferencesOf,
  isChangeable,
  isInEffect,
  isSameOffer,
  linkObstacle,
  type AnswerableContract,
  type AnswerPreferences,
  type LinkObstacle,
} from '#shared/domain/customer-answer.ts'
import { dayIn, type Day } from '#shared/domain/day.ts'
import type { Services } from '#server/context.ts'
import { COMPANY_JSON, Company, companyOf } from '#server/company/company.view.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { DecidedContract, DECIDED } from '#server/contracts/decisions.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read } from '#server/db/database.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { DEFAULT_END_REASONS } from '#shared/schemas/renewals.ts'
import { RenewalSettingsEntity } from '#server/contracts/renewal-settings.entity.ts'
import { answersJson, AnswersField } from './answer-settings.rows.ts'
import type { LinkRef } from './answer-token.ts'
import { ANSWER, AnswerRow } from './answer.rows.ts'
import { AnswerLinkEntity } from './customer-answer.entity.ts'

const LINK = columnsOf(AnswerLinkEntity, 'l', [
  'contractId',
  'termNumber',
  'contactId',
  'address',
  'offer',
  'revokedAt',
])
const NAMED = columnsOf(ContractEntity, 'k', ['noticePeriod', 'title', 'reference', 'pdfPath'])
const REASONS = columnsOf(RenewalSettingsEntity, 's', ['endReasons'])

const Contract = DecidedContract.extend({
  ...NAMED.fields,
  customerName: z.string(),
  contactName: z.string().nullable(),
  /** The contact's present address, in lower case; null where there is none any more. */
  address: z.string().nullable(),
  own: AnswersField,
})

const LinkedRow = z.object({
  ...LINK.fields,
  /** Null while it is in the trash. */
  contract: Contract.nullable(),
  company: Company,
  ownerEmail: z.string().nullable(),
  timeZone: z.string(),
  isSuspended: z.boolean(),
  subscription: SubscriptionField,
  answers: AnswersField,
  endReasons: REASONS.fields.endReasons,
  /** Of this term, the newest first, without those that the customer changed. */
  given: z.array(AnswerRow),
  /** How many answers the term has had. */
  count: z.int(),
  /** The number of the last of them; 0 if there is none. */
  lastNumber: z.int(),
})

/** What a link leads to. */
export interface Linked extends Omit<z.output<typeof LinkedRow>, 'contract' | 'answers' | 'endReasons'> {
  contract: z.output<typeof Contract>
  /** The account's calendar day. */
  today: Day
  /** `showsPdf` is false until the account has paid. */
  preferences: AnswerPreferences
  /** Why contracts end, as the account has it. */
  reasons: string[]
}

/** Reads what a link leads to; undefined if there is no such link, or its contract was deleted. */
export async function readLinked(
  read: Read,
  { accountId, linkId }: LinkRef,
  { now, billingNow }: Pick<Services, 'now' | 'billingNow'>,
): Promise<Linked | undefined> {
  const [row] = await read(linkedStatement(accountId, linkId), LinkedRow)
  if (!row?.contract) return undefined
  const { contract, answers, endReasons, company, given, ...others } = row
  const preferences = answerPreferencesOf(answers, contract.own)
  return {
    ...others,
    contract,
    // A contract may have become another customer's.
    given: given.filter(({ customerId }) => customerId === contract.customerId),
    company: companyOf(company),
    today: dayIn(now(), row.timeZone),
    // A PDF can lead anywhere, as a link can.
    preferences: { ...preferences, showsPdf: preferences.showsPdf && isPaying(row.subscription, billingNow()) },
    reasons: endReasons ?? DEFAULT_END_REASONS,
  }
}

function linkedStatement(accountId: number, linkId: number): Sql {
  const contract = sql`
    select ${DECIDED}, ${NAMED}, c.name as "customerName",
      lower(case l.contact_id when 0 then c.email else (select x.email from customer_contacts x
        where x.account_id = k.account_id and x.customer_id = c.id and x.id = l.contact_id) end) as address,
      (select x.name from customer_contacts x
        where x.account_id = k.account_id and x.customer_id = c.id and x.id = l.contact_id) as "contactName",
      ${answersJson(sql`k.account_id`, sql`k.id`)} as own
    from contracts k join customers c on c.account_id = k.account_id and c.id = k.customer_id
    where k.account_id = l.account_id and k.id = l.contract_id`
  const given = sql`
    select ${ANSWER} from customer_answers w
    where w.account_id = l.account_id and w.contract_id = l.contract_id and w.term_number = l.term_number`
  return sql`
    select ${LINK}, (select row_to_json(o) from (${contract}) o) as contract, ${COMPANY_JSON} as company, a.email as "ownerEmail",
      coalesce(a.time_zone, 'UTC') as "timeZone", a.suspended_at is not null as "isSuspended",
      (select ${SUBSCRIPTION_JSON} from subscriptions s where s.account_id = a.id) as subscription,
      ${answersJson(sql`a.id`)} as answers,
      (select s.end_reasons from renewal_settings s where s.account_id = a.id) as "endReasons",
      (select coalesce(json_agg(row_to_json(o) order by o.number desc), '[]')
        from (${given} and w.state <> 'withdrawn') o) as given,
      (select count(*)::int from (${given}) o) as count,
      (select coalesce(max(o.number), 0) from (${given}) o) as "lastNumber"
    from answer_links l join accounts a on a.id = l.account_id left join companies co on co.account_id = a.id
    where l.account_id = ${accountId} and l.id = ${linkId}`
}

/**
 * The newest answer about the term that counts; undefined if there is none, it was declined or undone, or it waits about
 * another offer than the link's.
 */
export function standingAnswer({ given, contract, offer }: Linked): AnswerRow | undefined {
  const [newest] = given
  if (!newest || newest.state === 'declined' || newest.state === 'overtaken') return undefined
  const counts = newest.state === 'waiting' ? isSameOffer(newest.offer, offer) : isInEffect(newest, contract)
  return counts ? newest : undefined
}

/** Whether this link gave the standing answer, and may still change it. */
export function mayChange(linked: Linked, linkId: number, now: Date): boolean {
  const answer = standingAnswer(linked)
  return answer?.linkId === linkId && isChangeable(answer, now)
}

/** Why a link takes no answer; undefined if it does. */
export type AnswerObstacle = LinkObstacle | 'no_access'

/** Why no answer is taken now about this contract, as it is or as it was before an answer that is about to be changed. */
export function answerObstacle(
  linked: Linked,
  contract: AnswerableContract,
  { billingNow }: Pick<Services, 'billingNow'>,
): AnswerObstacle | undefined {
  const { offer, revokedAt, preferences, today, subscription, isSuspended } = linked
  const obstacle = linkObstacle({ offer, isRevoked: revokedAt !== null }, contract, { preferences, today })
  if (obstacle) return obstacle
  if (linked.contract.address !== linked.address) return 'changed'
  return isSuspended || accessOf(subscription, billingNow()) !== 'full' ? 'no_access' : undefined
}
