import type { SendMailOptions, Transport } from 'nodemailer'
import { openMailer, type Mailer } from '#server/mail/mailer.ts'

/** A message as a mail server gets it. */
export interface Received {
  to: string[]
  messageId: string
  from: string
  replyTo: string
  subject: string
  text: string
  html: string
  /** `List-Unsubscribe` and `List-Unsubscribe-Post`, as they are on the wire. */
  unsubscribe: string[]
  /** What the attached files hold. */
  files: string[]
}

export interface Mailbox {
  mailer: Mailer
  received: Received[]
  /** The Message-IDs of all that was tried, also in vain. */
  tried: string[]
  /** What the mail server answers from now on, to all or to some addresses; nothing where it takes messages. */
  fail: (error?: Error, isTo?: (address: string) => boolean) => void
}

/** A mail server of the test, at the wire of the mailer. */
export function aMailbox(): Mailbox {
  const received: Received[] = []
  const tried: string[] = []
  let failure: Error | undefined
  let isRefused: (address: string) => boolean = () => true
  const transport: Transport = {
    name: 'mailbox',
    version: '1',
    send: ({ data, message }, callback) => {
      const { to } = message.getEnvelope()
      // As nodemailer's own transport answers.
      if (to.length === 0) return callback(noRecipients(), { envelope: { from: '', to }, messageId: '' })
      const messageId = message.messageId()
      tried.push(messageId)
      if (failure && to.some(isRefused)) return callback(failure, { envelope: { from: '', to }, messageId: '' })
      const addresses = message.getAddresses()
      received.push({
        to,
        messageId,
        from: textOf(addresses.from),
        replyTo: textOf(addresses['reply-to']),
        subject: data.subject ?? '',
        text: plain(data.text),
        html: plain(data.html),
        unsubscribe: unsubscribeHeaders(data),
        files: (data.attachments ?? []).map(({ content }) => plain(content)),
      })
      return callback(null, { envelope: { from: '', to }, messageId })
    },
  }
  const mailer = openMailer('TRAXX <reminders@traxx.test>', transport)
  const fail: Mailbox['fail'] = (error, isTo = () => true) => {
    failure = error
    isRefused = isTo
  }
  return { mailer, received, tried, fail }
}

function noRecipients(): Error {
  return Object.assign(new Error('No recipients defined'), { code: 'EENVELOPE', command: 'API' })
}

function textOf(addresses: { name?: string | undefined; address?: string | undefined }[] = []): string {
  return addresses.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
}

function unsubscribeHeaders({ list, headers }: SendMailOptions): string[] {
  const { unsubscribe } = list ?? {}
  const post: unknown = headers && Reflect.get(headers, 'List-Unsubscribe-Post')
  return [unsubscribe, post].filter((value) => typeof value === 'string')
}

function plain(content: unknown): string {
  return typeof content === 'string' ? content : ''
}

/** The mail server does not take this message for now. */
export function deferredMessage(): Error {
  const answer = { responseCode: 452, response: '452 mailbox full', command: 'RCPT TO' }
  return Object.assign(new Error('452 mailbox full'), { code: 'EENVELOPE', ...answer })
}

/** The mail server is not there. */
export function noMailServer(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', syscall: 'connect' })
}

/** The mail server refuses this message for good. */
export function refusedMessage(): Error {
  return Object.assign(new Error('550 no such user'), { code: 'EENVELOPE', responseCode: 550, permanent: true })
}

/** The connection was lost while the message was on its way. */
export function lostConnection(): Error {
  return Object.assign(new Error('Connection closed unexpectedly'), { code: 'ECONNECTION' })
}
