import { createTransport, type Transport } from 'nodemailer'
import { plainSenderName } from '#shared/domain/company-name.ts'
import { withoutDirectionMarks } from '#shared/domain/plain-text.ts'
import { letterText, type Letter } from './letter.ts'

export interface Attachment {
  fileName: string
  type: string
  content: string
}

export interface Message {
  to: string
  subject: string
  text: string
  html?: string
  /** The sender's name; the address is always ours. */
  senderName?: string
  replyTo?: string
  /** Where the reader can unsubscribe with a single POST (RFC 8058). */
  unsubscribeUrl?: string
  attachments?: readonly Attachment[]
  /** A message sent again with the same key has the same Message-ID, so that mail programs recognize it. */
  key?: string
}

export interface Mailer {
  /** Returns what the mail server said of it last. @throws errors that `mailFailureOf` classifies */
  send(message: Message): Promise<{ messageId: string; answer?: string }>
  /** The Message-ID for a key. */
  messageIdOf(key: string): string
}

// The library's defaults are minutes.
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

// A few connections send one message after another. Idle ones are closed early: if the server dropped one during a send,
// nobody could tell whether the message went out. `SMTP_URL?maxConnections=5` sets fewer.
const POOL = { pool: true, maxConnections: 20, maxMessages: 1000, maxRequeues: 2, idleTimeout: 500 } as const

/** The only module that sends email: by SMTP or another transport. */
export function openMailer(from: string, transport: string | Transport): Mailer {
  const sender =
    typeof transport === 'string'
      ? createTransport({ url: transport, ...TIMEOUTS, ...POOL })
      : createTransport(transport)
  const address = addressOf(from)
  const messageIdOf = (key: string) => `<${key}@${address.slice(address.lastIndexOf('@') + 1)}>`
  return {
    messageIdOf,
    async send({ to, subject, text, html, senderName, replyTo, unsubscribeUrl, attachments = [], key }) {
      const { messageId, response: answer } = await sender.sendMail({
        from: fromHeader(senderName, { from, address }),
        // As an object it is always one address, whatever characters it contains.
        to: { name: '', address: to },
        subject: subjectHeader(subject),
        text,
        ...(html !== undefined && { html }),
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        ...(unsubscribeUrl && {
          list: { unsubscribe: unsubscribeUrl },
          headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        }),
        attachments: attachments.map(({ fileName, type, content }) => {
          return { filename: fileName, contentType: type, content }
        }),
        ...(key && { messageId: messageIdOf(key) }),
      })
      return { messageId, ...(typeof answer === 'string' && { answer }) }
    },
  }
}

/** Logs in without sending anything. @throws what the mail server or the network answers */
export async function verifyMailServer(url: string): Promise<void> {
  const transport = createTransport({ url, ...TIMEOUTS })
  await transport.verify().finally(() => transport.close())
}

/** 'reminders@traxx.test' from 'TRAXX <reminders@traxx.test>'. */
export function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim()
}

/** If nothing of the name is left, the sender is TRAXX. */
function fromHeader(name: string | undefined, { from, address }: { from: string; address: string }): string {
  const plain = plainSenderName(name ?? '')
  return plain ? `"${plain.replaceAll(/["\\]/g, String.raw`\$&`)}" <${address}>` : from
}

/** Breaks up encoded words (RFC 2047): mail programs would decode them to text that nobody has checked. */
function subjectHeader(subject: string): string {
  return oneLine(withoutDirectionMarks(subject)).replaceAll('=?', '= ?')
}

/** A line break in a header value could begin another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

export interface LetterMessage extends Omit<Message, 'text' | 'html'> {
  letter: Letter
}

/** An email exactly as the mail server has accepted it. */
export interface SentLetter {
  text: string
  html: string
  /** What the mail server said. */
  answer: string | undefined
}

/** @throws errors that `mailFailureOf` classifies */
export async function sendLetter(mailer: Mailer, { letter, ...message }: LetterMessage): Promise<SentLetter> {
  const [text, html] = [letterText(letter), await letterHtml(message.subject, letter)]
  const { answer } = await mailer.send({ ...message, text, html })
  return { text, html, answer }
}

// Loaded with the first letter, because it takes a while.
export async function letterHtml(subject: string, letter: Letter): Promise<string> {
  const { renderLetter } = await import('./letter-template.ts')
  return renderLetter(subject, letter)
}
