import { lastDayToDecline, type AnswerChoice } from '#shared/domain/customer-answer.ts'
import type { AnswerKind } from '#shared/domain/reminder-plan.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import type { AnswerRow } from '#server/customer-answers/answer.rows.ts'
import { calendarFile } from '#server/mail/calendar-file.ts'
import { amountText, dateText, priceText } from '#server/mail/formats.ts'
import type { Fact, LetterPart } from '#server/mail/letter.ts'
import type { Attachment } from '#server/mail/mailer.ts'
import { ANSWERED } from '#server/notifications/answered-text.ts'
import { namesOf, type ReminderFacts } from './contract-facts.ts'
import { linkedIf, type Wording, type WrittenReminder } from './reminder-letter.ts'

/** What an email about a customer's answer says. */
export interface AnswerToTell {
  kind: AnswerKind
  answer: AnswerRow
}

interface AnswerWording extends Omit<Wording, 'texts' | 'answerUrlOf'> {
  /** The list of answers, within the app. */
  answersUrl: string
}

export interface WrittenAnswer extends WrittenReminder {
  attachments: Attachment[]
}

/** The email about an answer: to the customer who gave it, or to the owner. */
export function writeAnswer(facts: ReminderFacts, told: AnswerToTell, wording: AnswerWording): WrittenAnswer {
  return facts.recipient === 'customer'
    ? toCustomer(facts, told, wording)
    : { ...toOwner(facts, told.answer, wording), attachments: [] }
}

function toCustomer(facts: ReminderFacts, { kind, answer }: AnswerToTell, wording: AnswerWording): WrittenAnswer {
  const { sender } = facts
  const plain = (text: string) => linkedIf(wording.mayLink, withoutDirectionMarks(text), facts)
  const { subject, text } = kind === 'answer' ? received(facts, answer) : decided(facts, answer)
  const details = [...namesOf(facts), ...agreedFacts(answer), ...(kind === 'answer' ? wishedFacts(answer) : [])]
  const replaces = kind === 'answer' && answer.isChange ? 'This replaces your earlier answer. ' : ''
  const after =
    kind === 'answer' && !answer.isChange
      ? 'If this was not you, or if something is not right, open the link in the reminder again within an hour, or reply to this message.'
      : 'If you have a question or something is not right, just reply to this message.'
  return {
    subject: plain(subject),
    letter: {
      sender,
      logoUrl: wording.logoUrl,
      parts: [
        { text: `Hello ${plain(facts.customerName)},` },
        { text: plain(replaces + text) },
        ...(kind === 'reply' && answer.reply !== null ? [{ text: `${sender} wrote:\n${plain(answer.reply)}` }] : []),
        ...(details.length > 0 ? [{ facts: details.map(([label, value]): Fact => [label, plain(value)]) }] : []),
        { text: after },
        { text: sender },
      ],
      note: `TRAXX sent this email on behalf of ${sender}. You are receiving it because you answered a reminder about your contract.`,
      postalAddress: wording.postalAddress,
      unsubscribeUrl: wording.unsubscribeUrl,
      reportUrl: wording.reportUrl,
    },
    attachments: calendarOf(facts, answer, plain),
  }
}

interface LetterText {
  subject: string
  text: string
}

/** That the answer has been received, and what became of it. */
function received({ sender }: ReminderFacts, answer: AnswerRow): LetterText {
  const { agreed, choice } = answer
  if (agreed && 'endsOn' in agreed) {
    const date = dateText(agreed.endsOn)
    return {
      subject: `Your contract ends on ${date}`,
      text: `You answered that you do not want to renew. Your contract with ${sender} ends on ${date} and will not be renewed.`,
    }
  }
  if (agreed) {
    return {
      subject: `Your contract is renewed until ${dateText(agreed.renewalDate)}`,
      text: `Thank you. You answered that you want to renew, and your contract with ${sender} has been renewed.`,
    }
  }
  return { subject: `Your answer about your contract with ${sender}`, text: WAITING[choice](sender, answer) }
}

const WAITING: Record<AnswerChoice, (sender: string, answer: AnswerRow) => string> = {
  renew: (sender) =>
    `Thank you. You answered that you want to renew. We have told ${sender}, who will confirm it. Until then, nothing changes.`,
  change: (sender) =>
    `Thank you. You asked for a change. We have told ${sender}, who will answer you. Until then, nothing changes.`,
  end: (sender, { offer }) => {
    const last = lastDayToDecline(offer)
    return `You answered that you do not want to renew. ${last === null ? '' : `The last day for notice was ${dateText(last)}. `}We have told ${sender}, who will decide whether the contract can still end. Until then, nothing changes.`
  },
}

/** What the owner has decided. */
function decided({ sender }: ReminderFacts, { agreed }: AnswerRow): LetterText {
  if (agreed === null) {
    return {
      subject: `${sender} has declined your request`,
      text: `${sender} has declined what you asked for. Your contract stays as it is. You can answer again with the link in the reminder.`,
    }
  }
  if ('endsOn' in agreed) {
    const date = dateText(agreed.endsOn)
    return {
      subject: `Your contract ends on ${date}`,
      text: `${sender} has accepted that you do not want to renew. Your contract ends on ${date} and will not be renewed.`,
    }
  }
  return {
    subject: `Your contract is renewed until ${dateText(agreed.renewalDate)}`,
    text: `${sender} has accepted your answer, and your contract has been renewed.`,
  }
}

function agreedFacts({ agreed }: AnswerRow): Fact[] {
  if (agreed === null) return []
  if ('endsOn' in agreed) return [['End date', dateText(agreed.endsOn)]]
  return [
    ['Amount', priceText(agreed)],
    ['New term begins', dateText(agreed.termStart)],
    ['Next renewal date', dateText(agreed.renewalDate)],
  ]
}

function wishedFacts({ choice, wishedAmountCents, wishedDate, reason, words }: AnswerRow): Fact[] {
  const isChange = choice === 'change'
  return [
    ...factIf('Requested amount', isChange && wishedAmountCents !== null && amountText(wishedAmountCents)),
    ...factIf('Requested renewal date', isChange && wishedDate !== null && dateText(wishedDate)),
    ...factIf('Reason', reason),
    ...factIf('Message', words),
  ]
}

function factIf(label: string, value: string | false | null): Fact[] {
  return value ? [[label, value]] : []
}

/** The day of the renewal or end that was agreed, for the customer's calendar. */
function calendarOf(
  facts: ReminderFacts,
  { id, contractId, termNumber, agreed, answeredAt, decidedAt }: AnswerRow,
  plain: (text: string) => string,
): Attachment[] {
  if (agreed === null) return []
  const name = facts.title === null ? `Contract with ${facts.sender}` : plain(facts.title)
  const [day, summary] =
    'endsOn' in agreed ? [agreed.endsOn, `${name} ends`] : ([agreed.renewalDate, `${name} is due for renewal`] as const)
  const at = decidedAt ?? answeredAt
  return [
    calendarFile({
      id: `term-${contractId ?? id}-${termNumber}@traxx`,
      day,
      summary,
      description: `With ${facts.sender}`,
      at,
    }),
  ]
}

function toOwner(facts: ReminderFacts, answer: AnswerRow, wording: AnswerWording): WrittenReminder {
  const { customerName, title } = facts
  const { choice, agreed, address, offer } = answer
  const name = title === null ? customerName : `${customerName} (${title})`
  const button: LetterPart = agreed
    ? { link: { label: 'View contract', url: wording.contractUrl } }
    : { link: { label: 'Accept or decline', url: wording.answersUrl } }
  return {
    subject: `${name} ${ANSWERED[choice]}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        { text: `${customerName} ${ANSWERED[choice]}. ${outcomeOf(answer)}` },
        {
          facts: [
            ['Customer', customerName],
            ...namesOf(facts),
            ['Amount', priceText(offer)],
            ['Renewal date', dateText(offer.renewalDate)],
            ...agreedFacts(answer).filter(([label]) => label !== 'Amount'),
            ...wishedFacts(answer).map(([label, value]): Fact => [label, withoutDirectionMarks(value)]),
            ['Answered by the link sent to', address],
          ],
        },
        button,
      ],
      note: 'You are receiving this email because a customer has answered one of your reminders.',
    },
  }
}

function outcomeOf({ isChange, ...answer }: AnswerRow): string {
  const replaces = isChange ? 'This replaces an earlier answer, which has been undone. ' : ''
  return replaces + effectOf(answer)
}

function effectOf({ agreed, isLate }: Pick<AnswerRow, 'agreed' | 'isLate'>): string {
  if (agreed && 'endsOn' in agreed)
    return `The contract ends on ${dateText(agreed.endsOn)}, and reminders have stopped.`
  if (agreed) return `The contract has been renewed until ${dateText(agreed.renewalDate)}.`
  const late = isLate ? 'The last day for notice has passed. ' : ''
  return `${late}Nothing changes until you accept or decline it, and the customer gets no reminders meanwhile.`
}
