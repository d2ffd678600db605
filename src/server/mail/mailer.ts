import { createTransport, type Transport } from 'nodemailer'
import { plainSenderName } from '#shared/domain/company-name.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { letterText, type Letter } from './letter.ts'

export interface Message {
  to: string
  subject: string
  text: string
  html?: string
  /** Whose name the message comes under; the address is always ours. */
  senderName?: string
  replyTo?: string
  /** Where the reader can stop such messages, with a POST alone (RFC 8058). */
  unsubscribeUrl?: string
  /** What is sent twice under one key has one Message-ID, so that a mail program can tell. */
  key?: string
}

export interface Mailer {
  /** @throws what `mailFailureOf` can tell apart. */
  send(message: Message): Promise<{ messageId: string }>
  /** The Message-ID of what is sent under this key. */
  messageIdOf(key: string): string
}

// Nobody waits for a mail server for the minutes that are the library's defaults.
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

// One message after the other goes through a few connections. One that has nothing to do is closed soon: a server that
// drops it first could otherwise leave it open whether a message went out. `SMTP_URL?maxConnections=5` asks for fewer.
const POOL = { pool: true, maxConnections: 20, maxMessages: 1000, maxRequeues: 2, idleTimeout: 500 } as const

/** The only module that sends mail: by SMTP, or through another transport. */
export function openMailer(from: string, transport: string | Transport): Mailer {
  const sender =
    typeof transport === 'string'
      ? createTransport({ url: transport, ...TIMEOUTS, ...POOL })
      : createTransport(transport)
  const address = addressOf(from)
  const messageIdOf = (key: string) => `<${key}@${address.slice(address.lastIndexOf('@') + 1)}>`
  return {
    messageIdOf,
    async send({ to, subject, text, html, senderName, replyTo, unsubscribeUrl, key }) {
      const { messageId } = await sender.sendMail({
        from: fromHeader(senderName, { from, address }),
        // As an object it is one address, whatever it contains.
        to: { name: '', address: to },
        subject: subjectHeader(subject),
        text,
        ...(html !== undefined && { html }),
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        ...(unsubscribeUrl && {
          list: { unsubscribe: unsubscribeUrl },
          headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        }),
        ...(key && { messageId: messageIdOf(key) }),
      })
      return { messageId }
    },
  }
}

/** 'reminders@traxx.test' of 'TRAXX <reminders@traxx.test>'. */
export function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
}

/** Without a name of which something is left, the mail comes under our own. */
function fromHeader(name: string | undefined, { from, address }: { from: string; address: string }): string {
  const plain = plainSenderName(name ?? '')
  return plain ? `"${plain.replaceAll(/["\\]/g, String.raw`\$&`)}" <${address}>` : from
}

/** What begins an encoded word (RFC 2047) is taken apart: mail programs would show what nobody has checked. */
function subjectHeader(subject: string): string {
  return oneLine(withoutDirectionMarks(subject)).replaceAll('=?', '= ?')
}

/** A header value is one line, or it could begin another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

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
