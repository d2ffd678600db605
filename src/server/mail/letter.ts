import type { Mailer, Message } from './mailer.ts'

/** What a message says, written once for both its text and its HTML. */
export interface Letter {
  /** In whose name it comes. */
  sender: string
  parts: LetterPart[]
  /** Under the line: why somebody gets this. */
  note: string
  /** Where they can stop it. */
  unsubscribeUrl?: string | undefined
}

export type LetterPart =
  /** A paragraph; its line ends are kept. */
  | { text: string }
  /** What is at stake, as label and value. */
  | { facts: Fact[] }
  /** A way into the app. */
  | { link: { label: string; url: string } }

export type Fact = [label: string, value: string]

export interface LetterMessage extends Omit<Message, 'text' | 'html'> {
  letter: Letter
}

/** @throws what `mailFailureOf` can tell apart */
export async function sendLetter(mailer: Mailer, { letter, ...message }: LetterMessage): Promise<void> {
  const html = await letterHtml(message.subject, letter)
  await mailer.send({ ...message, text: letterText(letter), html })
}

export function letterText({ parts, note, unsubscribeUrl }: Letter): string {
  const stop = unsubscribeUrl ? `\nUnsubscribe: ${unsubscribeUrl}` : ''
  return [...parts.map(partText), `-- \n${note}${stop}`].join('\n\n')
}

// The renderer takes a while to load: only who sends a letter waits for it, and only once.
export async function letterHtml(subject: string, letter: Letter): Promise<string> {
  const { renderLetter } = await import('./letter-template.ts')
  return renderLetter(subject, letter)
}

function partText(part: LetterPart): string {
  if ('text' in part) return part.text
  if ('facts' in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return `${part.link.label}: ${part.link.url}`
}
