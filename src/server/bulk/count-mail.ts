import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { renewalDatesWithOccasions } from '#shared/domain/reminder-occasions.ts'
import { asSettled } from '#shared/domain/settled-contract.ts'
import type { ReaderContext } from '#server/context.ts'
import type { DecidedContract } from '#server/contracts/decisions.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { columnsOf } from '#server/db/columns.ts'
import { getMailLimits, type MailLimitsView } from '#server/deliverability/mail-limits.service.ts'
import { chunksOf } from '#server/limits/in-parallel.ts'
import { toldOfNextTerm } from '#server/ledger/confirmations.ts'
import { CHOSEN_RULE, ChosenRule, RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules } from '#server/notice-rules/noticed-contracts.ts'
import { confirmationLines } from '#server/reminders/confirmations.ts'
import { emailedToday, isHeldUp } from '#server/reminders/coming-emails.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import {
  asReadBy,
  PAST_MESSAGE,
  PastMessageRow,
  SUBJECT_COLUMNS,
  SUBJECT_TABLES,
  SubjectRow,
} from '#server/reminders/reminder-subject.ts'
import { MOST_IN_A_MAIL } from '#server/reminders/sending/due-reminders.ts'

/** So few that other requests do not wait long for what is done with them. */
const READ_AT_ONCE = 250

const MUTED = columnsOf(ContractEntity, 'k', ['mutedRenewalDate'])
const RenewableRow = SubjectRow.extend({
  ...MUTED.fields,
  chosen: ChosenRule.nullable(),
  /** What its customer was emailed about the next term, by renewals that were undone, and by which dates letters with notices. */
  before: z.array(PastMessageRow.extend({ renewalDate: MUTED.fields.mutedRenewalDate })),
  postedFor: z.array(MUTED.fields.mutedRenewalDate),
})
type RenewableRow = z.output<typeof RenewableRow>

/**
 * Counts the emails to customers that renewals bring: those that tell of them, if `isTold`, several to one address as one,
 * and those about the new renewal dates that go out today.
 */
export async function countMail(ctx: ReaderContext, isTold: boolean) {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const limits = await getMailLimits(ctx)
  const hasRules = (await read(chosenRules(accountId), RuleRow)).length > 0
  const near = new Set(renewalDatesWithOccasions({ from: today, through: today }))
  const [told, others, customers] = [new Map<string, number>(), new Map<string, number>(), new Set<number>()]
  const noticed: string[] = []

  /** The contacts that are told of the renewal. */
  const tell = (row: RenewableRow, { renewalDate }: DecidedContract, known: readonly number[]) => {
    const isMuted = row.isMuted || row.mutedRenewalDate === renewalDate
    const lines = confirmationLines({ ...row, isMuted }, { account, today }).filter(
      ({ contactId, obstacle }) => !obstacle && !known.includes(contactId),
    )
    for (const { contactId } of lines) add(told, asReadBy(row, contactId).email ?? '')
    if (lines.length > 0) customers.add(row.customerId)
    return lines.map(({ contactId }) => contactId)
  }
  const remind = (row: RenewableRow, contract: DecidedContract, toldIds: readonly number[]) => {
    const renewed = asSettled(contract, today)
    const isOf = ({ renewalDate }: { renewalDate: Day | null }) => renewalDate === renewed.renewalDate
    const isOnceMore = renewed.renewalDate !== contract.renewalDate
    const confirmations = toldIds.map((contactId) => ({ ...CONFIRMATION, contactId, day: today }))
    const after = {
      ...row,
      ...renewed,
      isMuted: row.mutedRenewalDate === renewed.renewalDate,
      isAnswered: false,
      since: today,
      // Of the term after the next one something has been sent only if that renewal was undone, which is not looked up.
      history: isOnceMore ? [] : [...row.before.filter(isOf), ...confirmations],
      chosen: row.postedFor.includes(renewed.renewalDate) ? null : row.chosen,
    }
    for (const { email, isNotice } of emailedToday(after, account, today))
      if (isNotice) noticed.push(email)
      else add(others, email)
  }
  const isEmailed = (contract: DecidedContract) =>
    isTold || (!isHeldUp(account) && (hasRules || near.has(asSettled(contract, today).renewalDate)))
  return {
    /** Counts the emails about contracts as their renewals would leave them. */
    add: async (renewed: readonly DecidedContract[]) => {
      const asked = new Map(renewed.filter(isEmailed).map((contract) => [contract.id, contract]))
      for (const ids of chunksOf([...asked.keys()], READ_AT_ONCE)) {
        const rows = await read(renewable(accountId, ids), RenewableRow)
        const known = isTold ? await toldOfNextTerm(read, accountId, ids) : new Map<number, number[]>()
        for (const row of rows) {
          const contract = asked.get(row.contractId)
          if (contract) remind(row, contract, isTold ? tell(row, contract, known.get(row.contractId) ?? []) : [])
        }
      }
    },
    counts: () => {
      const [emails, emailsToday] = [emailsOf(told), emailsOf(others) + noticed.length]
      const waiting = beyondLimits(mailboxesOf([told, others], noticed), limits)
      return { ...(isTold && { emails, customers: customers.size }), emailsToday, waiting }
    },
  }
}

const CONFIRMATION = {
  kind: 'confirmation',
  offset: 0,
  recipient: 'customer',
  channel: 'email',
  state: 'planned',
  reason: null,
  counts: true,
} as const

/** Messages by address; what is due to one at once is one email, up to its size limit. */
type Messages = Map<string, number>

function add(messages: Messages, address: string): void {
  const reader = address.toLowerCase()
  messages.set(reader, (messages.get(reader) ?? 0) + 1)
}

function emailsOf(messages: Messages): number {
  return [...messages.values()].reduce((sum, count) => sum + Math.ceil(count / MOST_IN_A_MAIL), 0)
}

/** How many emails each mailbox gets. */
function mailboxesOf(several: readonly Messages[], noticed: readonly string[]): Map<string, number> {
  const mailboxes = new Map<string, number>()
  const put = (address: string, emails: number) => {
    const mailbox = mailboxOf(address)
    mailboxes.set(mailbox, (mailboxes.get(mailbox) ?? 0) + emails)
  }
  for (const messages of several)
    for (const [address, count] of messages) put(address, Math.ceil(count / MOST_IN_A_MAIL))
  for (const address of noticed) put(address, 1)
  return mailboxes
}

/** How many of these emails the limits of the address and of the account put off, leaving aside what addresses have got today. */
function beyondLimits(
  mailboxes: ReadonlyMap<string, number>,
  { limit, sentToday, limitPerAddress }: MailLimitsView,
): number {
  const emails = [...mailboxes.values()]
  const all = emails.reduce((sum, count) => sum + count, 0)
  const allowed = emails.reduce((sum, count) => sum + Math.min(count, limitPerAddress), 0)
  return all - Math.min(allowed, Math.max(0, limit - sentToday))
}

/** Reads RenewableRows. */
function renewable(accountId: number, ids: readonly number[]) {
  return sql`
    select ${SUBJECT_COLUMNS}, ${MUTED}, ${CHOSEN_RULE} as chosen, (
      select coalesce(json_agg(json_build_object(${PAST_MESSAGE}, 'renewalDate', r.renewal_date)), '[]')
      from reminders r where r.account_id = k.account_id and r.contract_id = k.id
        and r.term_number = k.term_number + 1 and r.recipient = 'customer' and r.channel <> 'letter') as before, (
      select coalesce(json_agg(n.renewal_date), '[]') from notices n where n.account_id = k.account_id
        and n.contract_id = k.id and n.term_number = k.term_number + 1 and n.posted_on is not null) as "postedFor"
    from ${SUBJECT_TABLES} where k.account_id = ${accountId} and k.id = any(${[...ids]}::int[]) order by k.id`
}
