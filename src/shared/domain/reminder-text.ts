import { hasLink } from './plain-text.ts'
import type { Renews } from './renews.ts'

/**
 * The messages that an account can word itself: reminders before a renewal date, which differ by how a contract renews
 * (`reminder` is by agreement), the follow-up after it, the confirmation of a renewal, and the notice that a contract
 * will renew, which a rule can require.
 */
export const TEXT_KINDS = [
  'reminder',
  'reminder_automatic',
  'reminder_never',
  'follow_up',
  'confirmation',
  'notice',
] as const
export type TextKind = (typeof TEXT_KINDS)[number]

const REMINDERS: Record<Renews, TextKind> = {
  automatic: 'reminder_automatic',
  by_agreement: 'reminder',
  never: 'reminder_never',
}

/** The template of a reminder or follow-up to a customer. What is still open after its renewal date waits for somebody's decision. */
export function textKindOf(renews: Renews, daysLeft: number): TextKind {
  return daysLeft < 0 ? 'follow_up' : REMINDERS[renews]
}

/** A message to a customer, with variables in double braces. */
export interface ReminderText {
  subject: string
  /** A blank line begins a paragraph. */
  body: string
}

/** What each variable is replaced with, as the text editor explains it. None is ever replaced with nothing. */
const EVERYWHERE = {
  customer: "the customer's name",
  company: 'the name of your company',
  contract: 'which contract it is, such as "Web hosting, C-1001 (yearly, $2,400.00)"',
  title: 'the contract\'s title, or "contract" if it has none',
  reference: "your reference, or the contract's number in TRAXX if it has none",
  amount: "the contract's amount",
  cycle: 'monthly, quarterly, or yearly',
  renewalDate: 'the renewal date',
}
const NEXT_TERM = {
  newAmount: 'what the next term costs: the scheduled amount, or the same as now',
  newCycle: 'the cycle of the next term',
}
const BEFORE = { when: '"in 7 days", "tomorrow", or "today"', daysLeft: '"7 days"' }
const NOTICE_DATE = {
  noticeDate: 'the last day for notice, or the day before the renewal date without a notice period',
}
export const TEXT_VARIABLES: Record<TextKind, Record<string, string>> = {
  reminder: { ...EVERYWHERE, ...BEFORE, ...NEXT_TERM, ...NOTICE_DATE },
  reminder_automatic: {
    ...EVERYWHERE,
    ...BEFORE,
    ...NEXT_TERM,
    ...NOTICE_DATE,
    notice: 'a sentence that asks for notice by that day, or says that the day has passed',
  },
  reminder_never: { ...EVERYWHERE, ...BEFORE, renewalDate: 'the day on which it ends' },
  follow_up: { ...EVERYWHERE, when: '"3 days ago"', daysOverdue: '"3 days"', ...NEXT_TERM },
  confirmation: {
    ...EVERYWHERE,
    amount: 'what the new term costs',
    cycle: 'the cycle of the new term: monthly, quarterly, or yearly',
    renewalDate: 'the renewal date of the new term',
    startDate: 'the first day of the new term',
    oldAmount: 'what the previous term cost',
    oldCycle: 'the cycle of the previous term',
    changes: 'a sentence that says what has changed, or that amount and cycle stay the same',
  },
  notice: {
    ...EVERYWHERE,
    ...BEFORE,
    ...NEXT_TERM,
    ...NOTICE_DATE,
    renewal: 'a sentence that says that the contract renews unless the customer declines',
    price: 'a sentence that says what the next term costs, and what the contract costs now',
    decline: 'a sentence that says how and until when the customer can decline',
  },
}

/** On a line of its own in a body: a box with what is known of the contract. */
export const DETAILS = 'details'
/** On a line of its own in a body: a button that leads to the page on which the customer answers. */
export const ANSWER_LINK = 'answerLink'
export const BLOCKS = [DETAILS, ANSWER_LINK] as const
export type TextBlock = (typeof BLOCKS)[number]

/** What a body may have on lines of their own. A renewal that is confirmed needs no answer. */
export function blocksOf(kind: TextKind): TextBlock[] {
  return kind === 'confirmation' ? [DETAILS] : [DETAILS, ANSWER_LINK]
}

export const DEFAULT_TEXTS: Record<TextKind, ReminderText> = {
  reminder: {
    subject: 'Your contract is due for renewal on {{renewalDate}}',
    body: `Hello {{customer}},

This is a reminder that your contract with {{company}} is due for renewal {{when}}, on {{renewalDate}}.

It renews only if you agree. If you would like to continue, just reply to this message.

{{details}}

{{answerLink}}

If you have a question or something has changed, please let us know.

{{company}}`,
  },
  reminder_automatic: {
    subject: 'Your contract renews on {{renewalDate}}',
    body: `Hello {{customer}},

This is a reminder that your contract with {{company}} renews automatically {{when}}, on {{renewalDate}}. The next term costs {{newAmount}} ({{newCycle}}).

{{notice}}

{{details}}

{{answerLink}}

If you have a question or something has changed, just reply to this message.

{{company}}`,
  },
  reminder_never: {
    subject: 'Your contract ends on {{renewalDate}}',
    body: `Hello {{customer}},

This is a reminder that your contract with {{company}} ends {{when}}, on {{renewalDate}}. It does not renew.

{{details}}

{{answerLink}}

If you have a question or would like to continue, just reply to this message.

{{company}}`,
  },
  follow_up: {
    subject: 'Your contract was due for renewal on {{renewalDate}}',
    body: `Hello {{customer}},

Your contract with {{company}} was due for renewal on {{renewalDate}}, {{when}}.

If you have already been in touch about it, please disregard this message.

{{details}}

{{answerLink}}

If you have a question or something has changed, just reply to this message.

{{company}}`,
  },
  confirmation: {
    subject: 'Your contract has been renewed until {{renewalDate}}',
    body: `Hello {{customer}},

Your contract with {{company}} has been renewed. The new term runs from {{startDate}} until {{renewalDate}} and costs {{amount}} ({{cycle}}).

{{changes}}

{{details}}

If you have a question or something is not right, just reply to this message.

{{company}}`,
  },
  notice: {
    subject: 'Notice: your contract renews on {{renewalDate}}',
    body: `Hello {{customer}},

This is a notice about your contract with {{company}}. {{renewal}}

{{price}}

{{decline}}

{{answerLink}}

{{details}}

{{company}}`,
  },
}

/** A variable in a text. */
export const VARIABLE = /\{\{([^{}]*)\}\}/g
/** A line that is a block. */
export const BLOCK_LINE = new RegExp(`^[^\\S\\n]*\\{\\{\\s*(${BLOCKS.join('|')})\\s*\\}\\}[^\\S\\n]*$`, 'gm')
const SHOWN = 40

export type TextFault =
  | { fault: 'unknown'; variable: string }
  /** Braces that are not part of a variable. */
  | { fault: 'braces' }
  /** A variable with one brace on each side instead of two. */
  | { fault: 'single'; variable: string }
  /** A block that is not on a line of its own. */
  | { fault: 'block'; variable: TextBlock }

/** What is wrong with a subject or body that may use these variables; undefined if nothing is. */
export function textFault(text: string, names: string[]): TextFault | undefined {
  const unknown = variablesOf(text).find((name) => !names.includes(name))
  if (unknown !== undefined) return { fault: 'unknown', variable: unknown.slice(0, SHOWN) }
  const rest = text.replaceAll(VARIABLE, ' ')
  if (/\{\{|\}\}/.test(rest)) return { fault: 'braces' }
  const single = [...rest.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name.trim())
  const meant = single.find((name) => names.includes(name))
  if (meant !== undefined) return { fault: 'single', variable: meant }
  const insideLines = variablesOf(text.replaceAll(BLOCK_LINE, ''))
  const block = BLOCKS.find((name) => insideLines.includes(name))
  return block && { fault: 'block', variable: block }
}

/** Whether a text would contain a link if its variables were replaced with ordinary words. */
export function textHasLink({ subject, body }: ReminderText): boolean {
  return [subject, body].some((text) => hasLink(text.replaceAll(VARIABLE, 'word')))
}

/** The names of the variables and blocks in a text, as often as they are used. */
export function variablesOf(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name.trim())
}
