import { VERIFY_AT } from '#shared/certificates/certificate.ts'
import type { Day } from '#shared/domain/day.ts'
import { hideOwnLinks } from '#shared/domain/own-links.ts'
import type { ProofPart } from '#shared/domain/proof-chain.ts'
import { sha256 } from '#shared/domain/proof-key.ts'
import type { PastMessage } from '#shared/domain/reminder-plan.ts'
import type { SentMessage } from '#server/ledger/ledger.ts'
import { RENEWS_NAMES } from '#server/mail/formats.ts'
import type { Fact } from '#server/mail/letter.ts'
import type { SentLetter } from '#server/mail/mailer.ts'
import type { WindowByRule } from '#server/notice-rules/chosen-rule.ts'
import { ruleFacts } from '#server/reminders/letters/rule-facts.ts'
import { dateOf, detailsOf, namesOf } from '#server/reminders/letters/contract-facts.ts'
import { factsOf, senderOf, sentBy, type WrittenAbout } from '#server/reminders/letters/reminder-mail.ts'
import type { ReminderAccount } from '#server/reminders/reminder-account.ts'
import { contactNameOf } from '#server/reminders/reminder-subject.ts'

/** What is proved of an email to a customer, as of the moment when it was written. */
export interface MessageFacts {
  /** The row of the ledger that it is proved under. */
  reminderId: number
  parts: ProofPart[]
  subject: string
  messageId: string
}

/** A contract that the email is about, and on which occasion. */
interface About {
  row: WrittenAbout
  kind: PastMessage['kind']
  contactId: number
  /** Of a notice: the rule that requires it and the window by that, as it is written. */
  window?: WindowByRule | undefined
}

interface Written {
  reminderId: number
  account: ReminderAccount
  today: Day
  stored: SentMessage
}

export function factsOfMessage(about: readonly About[], written: Written): MessageFacts {
  const { reminderId, stored } = written
  const { subject, messageId } = stored
  return {
    reminderId,
    parts: [partiesPart(about, written), ...about.map((one) => contractPart(one, written))],
    subject,
    messageId,
  }
}

function partiesPart(about: readonly About[], { account, stored }: Written): ProofPart {
  const { company, owner } = account
  const [first] = about
  const contact = first && contactNameOf(first.row, first.contactId)
  return {
    name: 'parties',
    title: 'Parties',
    facts: [
      ['Sender', senderOf(account)],
      ...labeled('Postal address', company.postalAddress),
      ['Account holder', owner.email ?? ''],
      ...labeled('Replies go to', sentBy(account).replyTo),
      ...customersOf(about).map((name): Fact => ['Customer', name]),
      ...labeled('Contact', contact),
      ['Sent to', stored.address],
    ],
  }
}

/** Customers that have the same address get one email. */
function customersOf(about: readonly About[]): string[] {
  return [...new Set(about.map(({ row }) => row.customerName))]
}

function contractPart({ row, kind, window }: About, { account, today }: Written): ProofPart {
  const facts = factsOf(row, { recipient: 'customer', account, today })
  return {
    name: `contract ${row.contractId}`,
    title: `Contract ${row.contractId}`,
    facts: [
      ['Message', KINDS[kind]],
      ['Customer', row.customerName],
      ...namesOf(facts),
      ['Term', String(row.termNumber)],
      ...detailsOf(facts, [facts.renews === 'never' ? 'End date' : 'Renewal date', dateOf(facts)]),
      ['Renewal', RENEWS_NAMES[facts.renews]],
      ...labeled('Notice period', row.noticePeriod),
      ...(window ? ruleFacts(window) : []),
    ],
  }
}

const KINDS: Record<PastMessage['kind'], string> = {
  reminder: 'Reminder',
  follow_up: 'Follow-up',
  manual: 'Reminder sent by hand',
  confirmation: 'Confirmation of a renewal',
  notice: 'Notice of the renewal, as a rule requires',
  answer: "Receipt of the customer's answer",
  reply: "Decision about the customer's answer",
}

function labeled(label: string, value: string | null | undefined): [string, string][] {
  return value ? [[label, value]] : []
}

/** All that is proved of an email that the mail server has accepted. Its readers' own links are hidden in the text. */
export async function partsOfMessage(
  { parts, subject, messageId }: MessageFacts,
  { text, html, answer }: SentLetter,
  publicUrl: string,
): Promise<ProofPart[]> {
  return [
    ...parts,
    {
      name: 'message',
      title: 'Message',
      facts: [
        ['Subject', subject],
        ['Message-ID', messageId],
        ['SHA-256 of the text', await sha256(text)],
        ['SHA-256 of the HTML', await sha256(html)],
        ...labeled('Mail server', answer),
        [VERIFY_AT, `${publicUrl}/verify`],
      ],
      text: hideOwnLinks(text, publicUrl),
    },
  ]
}
