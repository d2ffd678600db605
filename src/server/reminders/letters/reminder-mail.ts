import { isPaying } from '#shared/domain/access.ts'
import { answerPreferencesOf, type OwnAnswerPreferences } from '#shared/domain/customer-answer.ts'
import type { Day } from '#shared/domain/day.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { Line } from '#shared/domain/reminder-plan.ts'
import type { Services } from '#server/context.ts'
import { logoAddress } from '#server/company/company.view.ts'
import type { LetterMessage } from '#server/mail/mailer.ts'
import { writeDigest } from './digest-letter.ts'
import { messageKey, readerToken } from '#server/deliverability/reader-keys.ts'
import type { ReminderAccount } from '#server/reminders/reminder-account.ts'
import { writeAnswer, type AnswerToTell } from './answer-letter.ts'
import type { ReminderFacts, RenewedTerm } from './contract-facts.ts'
import { writeReminder, type Wording, type WrittenReminder } from './reminder-letter.ts'
import { asDecided, type SubjectRow } from '#server/reminders/reminder-subject.ts'

interface Written {
  recipient: Line['recipient']
  account: ReminderAccount
  today: Day
}

/** A contract that a message is about. */
export interface WrittenAbout extends SubjectRow {
  /** The new term, if the message confirms a renewal. */
  renewed?: RenewedTerm | undefined
  /** The customer's answer, if the message tells of one. */
  told?: AnswerToTell | undefined
  /** Where the customer answers about the contract; undefined where they cannot. */
  answerUrl?: string | undefined
  /** Whether the message is the notice that a rule requires. */
  isNotice?: boolean | undefined
}

export function factsOf(row: WrittenAbout, { recipient, account, today }: Written): ReminderFacts {
  const { customerName, title, reference } = row
  return {
    ...asDecided(row),
    customerName: withoutDirectionMarks(customerName),
    title: title && withoutDirectionMarks(title),
    reference: reference && withoutDirectionMarks(reference),
    recipient,
    sender: senderOf(account),
    today,
  }
}

/** The account's sender name. Without one, nothing is sent to customers; a preview shows a placeholder. */
export function senderOf({ company }: Pick<ReminderAccount, 'company'>): string {
  return company.name ?? 'Your company'
}

interface MailWritten extends Written {
  /** The ledger row in the email's links and, unless it is a repeat, in its Message-ID. */
  id: number
  /** The Message-ID of the email that it repeats. */
  key?: string | undefined
  /** The URL of TRAXX. */
  publicUrl: string
  /** The time by billing's clock. */
  billingNow: Date
  /** The key that its links are signed with. */
  linkKey: string
}

/** The email to one reader about some contracts, as they are today. */
export function mailAbout(
  [first, ...others]: readonly [WrittenAbout, ...WrittenAbout[]],
  written: MailWritten,
): LetterMessage & { key: string } {
  const { account, recipient } = written
  const isToCustomer = recipient === 'customer'
  const links = isToCustomer ? readerLinks(first, written) : undefined
  const to = (isToCustomer ? first.email : account.owner.email) ?? ''
  return {
    ...letterAbout([first, ...others], written, links),
    to,
    ...(links && { unsubscribeUrl: links.unsubscribeUrl }),
    key: written.key ?? messageKey(written.linkKey, { accountId: account.id, reminderId: written.id, address: to }),
    ...(isToCustomer && sentBy(account)),
  }
}

/** An account's own templates are about one contract; several contracts get the digest. */
function letterAbout(
  [first, ...others]: readonly [WrittenAbout, ...WrittenAbout[]],
  written: MailWritten,
  links: ReaderLinks | undefined,
): WrittenReminder & Pick<LetterMessage, 'attachments'> {
  const { account, publicUrl } = written
  const [about = first, ...otherContracts] = distinctContracts([first, ...others])
  const facts = factsOf(about, written)
  const urls = new Map([first, ...others].map(({ contractId, answerUrl }) => [contractId, answerUrl]))
  const answerUrlOf = (contractId: number) => urls.get(contractId)
  const wording = { ...wordingOf(account, written), ...links, answerUrlOf }
  if (otherContracts.length > 0) {
    const all = [facts, ...otherContracts.map((row) => factsOf(row, written))]
    return writeDigest(facts, all, { ...wording, contractsUrl: `${publicUrl}/contracts` })
  }
  const contractUrl = `${publicUrl}/contracts?open=${about.contractId}`
  if (about.told) return writeAnswer(facts, about.told, { ...wording, contractUrl, answersUrl: `${publicUrl}/answers` })
  return writeReminder(facts, { ...wording, contractUrl })
}

/** Each contract once, in their order. A confirmation says all that a reminder of the same day would. */
function distinctContracts(rows: readonly WrittenAbout[]): WrittenAbout[] {
  const byContract = Map.groupBy(rows, ({ contractId }) => contractId)
  return [...byContract.values()].flatMap((same) => same.find(({ renewed }) => renewed) ?? same.slice(0, 1))
}

/** How the account's messages are worded, for any contract. */
function wordingOf(
  { texts, company, subscription }: ReminderAccount,
  { publicUrl, billingNow }: Pick<MailWritten, 'publicUrl' | 'billingNow'>,
) {
  const { logoPath, postalAddress } = company
  return {
    texts,
    logoUrl: logoPath ? publicUrl + logoAddress(logoPath) : undefined,
    postalAddress: postalAddress ?? undefined,
    mayLink: isPaying(subscription, billingNow),
  }
}

/** How an email to a customer is worded when it is only shown: following its links must not unsubscribe anybody. */
export function previewWording(
  account: ReminderAccount,
  { publicUrl, billingNow }: Pick<Services, 'publicUrl' | 'billingNow'>,
  ownAnswers: OwnAnswerPreferences | null = null,
): Wording {
  const { hasLink } = answerPreferencesOf(account.answers, ownAnswers)
  return {
    ...wordingOf(account, { publicUrl, billingNow: billingNow() }),
    contractUrl: '',
    unsubscribeUrl: `${publicUrl}/unsubscribe/example`,
    reportUrl: `${publicUrl}/report/example`,
    ...(hasLink && { answerUrlOf: () => `${publicUrl}/answer/example` }),
  }
}

/** The notice about a contract as it is on paper, on a day. There, no links can be followed, and nothing has to be unsubscribed from. */
export function noticeOnPaper(
  row: SubjectRow,
  { account, today }: Pick<Written, 'account' | 'today'>,
): WrittenReminder {
  const facts = { ...factsOf({ ...row, isNotice: true }, { recipient: 'customer', account, today }), isOnPaper: true }
  return writeReminder(facts, { texts: account.texts, contractUrl: '', mayLink: true })
}

/** The sender's name of a message to a customer, and where replies go. */
export function sentBy({ company, owner }: ReminderAccount): Pick<LetterMessage, 'senderName' | 'replyTo'> {
  const { name: senderName } = company
  const replyTo = (company.isReplyToConfirmed && company.replyTo) || owner.email
  return { ...(senderName && { senderName }), ...(replyTo && { replyTo }) }
}

interface ReaderLinks {
  unsubscribeUrl: string
  reportUrl: string
}

/** The links for unsubscribing and for reporting a message. */
function readerLinks({ email }: SubjectRow, written: MailWritten): ReaderLinks {
  const { id: reminderId, account, publicUrl, linkKey } = written
  const message = { accountId: account.id, reminderId, address: email ?? '' }
  const token = readerToken(linkKey, message)
  return { unsubscribeUrl: `${publicUrl}/unsubscribe/${token}`, reportUrl: `${publicUrl}/report/${token}` }
}
