import { letterText, type Letter } from './letter.ts'
import type { Mailer, Message } from './mailer.ts'

export interface LetterMessage extends Omit<Message, 'text' | 'html'> {
  letter: Letter
}

/** @throws what `mailFailureOf` can tell apart */
export async function sendLetter(mailer: Mailer, { letter, ...message }: LetterMessage): Promise<void> {
  const html = await letterHtml(message.subject, letter)
  await mailer.send({ ...message, text: letterText(letter), html })
}

// The renderer takes a while to load: only who sends a letter waits for it, and only once.
export async function letterHtml(subject: string, letter: Letter): Promise<string> {
  const { renderLetter } = await import('./letter-template.ts')
  return renderLetter(subject, letter)
}
