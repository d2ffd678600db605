import { domainOf, withoutLinks } from '#shared/domain/plain-text.ts'
import { fillText, partsOf } from '#shared/domain/fill-text.ts'
import {
  ANSWER_LINK,
  textKindOf,
  type ReminderText,
  type TextBlock,
  type TextKind,
} from '#shared/domain/reminder-text.ts'
import { dateText, daysText, whenText } from '#server/mail/formats.ts'
import type { Fact, Letter, LetterPart } from '#server/mail/letter.ts'
import { dateOf, detailsOf, leftOf, namesOf, noticeDateOf, valuesOf, type ReminderFacts } from './contract-facts.ts'

/** The rest of a letter: the account's own templates, and its links. */
export interface Wording {
  texts: Record<TextKind, ReminderText>
  /** The contract, within the app. */
  contractUrl: string
  /** Where a customer can stop such messages. */
  unsubscribeUrl?: string | undefined
  /** What customers see of the company besides its name. */
  logoUrl?: string | undefined
  postalAddress?: string | undefined
  /** Whether the text may contain links. */
  mayLink: boolean
  /** Where they can report one. */
  reportUrl?: string | undefined
  /** Where the customer answers about a contract; undefined where they cannot. */
  answerUrlOf?: ((contractId: number) => string | undefined) | undefined
}

export interface WrittenReminder {
  subject: string
  letter: Letter
}

/** The words of a reminder or follow-up, by the days left when it is written, or of a confirmation. */
export function writeReminder(facts: ReminderFacts, wording: Wording): WrittenReminder {
  return facts.recipient === 'customer' ? toCustomer(facts, wording) : toOwner(facts, wording)
}

function toCustomer(facts: ReminderFacts, wording: Wording): WrittenReminder {
  const { sender } = facts
  const { subject, body } = wording.texts[kindOf(facts)]
  const answerButton = answerPart(facts, wording)
  const values = valuesOf({ ...facts, isAnswerable: answerButton.length > 0 })
  const plain = (text: string) => linkedIf(wording.mayLink, text, facts)
  // Values of variables may also be links, or form one together with the text around them.
  const filled = (text: string) => plain(fillText(text, values))
  const details = allDetails(facts).map(([label, value]): Fact => [label, plain(value)])
  return {
    subject: filled(subject),
    letter: {
      sender,
      logoUrl: wording.logoUrl,
      parts: withAnswerLink(body).flatMap((part): LetterPart[] => {
        if ('text' in part) return [{ text: filled(part.text) }]
        return part.block === ANSWER_LINK ? answerButton : [{ facts: details }]
      }),
      note: `TRAXX sent this email on behalf of ${sender}. You are receiving it because you have a contract with ${sender}.`,
      postalAddress: wording.postalAddress,
      unsubscribeUrl: wording.unsubscribeUrl,
      reportUrl: wording.reportUrl,
    },
  }
}

/** The parts of a body, which end with the answer link if it has none: each reminder can be answered. */
function withAnswerLink(body: string): ({ text: string } | { block: TextBlock })[] {
  const parts = partsOf(body)
  return parts.some((part) => 'block' in part && part.block === ANSWER_LINK)
    ? parts
    : [...parts, { block: ANSWER_LINK }]
}

/** The button with which a customer answers about a contract; none where they cannot, or where it has been renewed. */
export function answerPart(
  { contractId, renewed }: ReminderFacts,
  { answerUrlOf }: Pick<Wording, 'answerUrlOf'>,
  label = 'Answer online',
): LetterPart[] {
  const url = renewed ? undefined : answerUrlOf?.(contractId)
  return url === undefined ? [] : [{ secretLink: { label, url } }]
}

function kindOf(facts: ReminderFacts): TextKind {
  if (facts.isNotice) return 'notice'
  return facts.renewed ? 'confirmation' : textKindOf(facts.renews, leftOf(facts))
}

/** The text, if need be without links other than to the reader's own domain. */
export function linkedIf(mayLink: boolean, text: string, { email }: ReminderFacts): string {
  return mayLink ? text : withoutLinks(text, domainOf(email))
}

function toOwner(facts: ReminderFacts, { contractUrl }: Wording): WrittenReminder {
  const left = leftOf(facts)
  const isUpcoming = left >= 0
  const { customerName, title, renews } = facts
  const name = title === null ? customerName : `${customerName} (${title})`
  return {
    subject: isUpcoming
      ? `${name} ${renews === 'never' ? 'ends' : 'renews'} ${whenText(left)}`
      : `${name} is overdue by ${daysText(-left)}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        { text: `Your contract with ${customerName} ${whatHappens(facts)}` },
        { facts: [['Customer', customerName], ...allDetails(facts)] },
        { link: { label: 'View contract', url: contractUrl } },
        { text: isUpcoming ? WHAT_TO_DO[renews] : WHAT_TO_DO.by_agreement },
      ],
      note: 'You are receiving this email because email reminders are turned on in your TRAXX notification settings.',
    },
  }
}

const WHAT_TO_DO: Record<ReminderFacts['renews'], string> = {
  automatic: 'If it should not renew, end the contract before then.',
  by_agreement: 'When this is settled, renew or end the contract.',
  never: 'If it should continue, renew the contract.',
}

function whatHappens(facts: ReminderFacts): string {
  const left = leftOf(facts)
  const [when, date] = [whenText(left), dateOf(facts)]
  if (left < 0) return `was due for renewal on ${date}, ${when}, and is still open.`
  if (facts.renews === 'never') return `ends ${when}, on ${date}, and does not renew.`
  if (facts.renews === 'by_agreement') return `is due for renewal ${when}, on ${date}.`
  const notice = noticeDateOf(facts)
  const until = notice ? ` The last day for notice ${notice < facts.today ? 'was' : 'is'} ${dateText(notice)}.` : ''
  return `renews automatically ${when}, on ${date}.${until}`
}

function allDetails(facts: ReminderFacts): Fact[] {
  return [
    ...namesOf(facts),
    ...detailsOf(facts, [facts.renews === 'never' ? 'End date' : 'Renewal date', dateOf(facts)]),
  ]
}
