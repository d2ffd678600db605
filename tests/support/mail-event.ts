import { createHmac, randomUUID } from 'node:crypto'
import { NOON } from './services.ts'

export interface MailEvent {
  event: string
  /** Of no message where it is not said. */
  messageId?: string
  severity?: string
  key?: string
  /** Minutes by which it was signed after our clock's now. */
  minutes?: number
  /** Each call has another where it is not said. */
  token?: string
  answer?: string
}

/** A webhook of the mail provider, signed as Mailgun does. */
export function signedMailEvent({ event, messageId, severity, answer = '550 no such user', ...signed }: MailEvent) {
  const { key = 'key-test', minutes = 0, token = randomUUID() } = signed
  const at = new Date(NOON.getTime() + minutes * 60_000)
  const message = messageId === undefined ? undefined : { headers: { 'message-id': messageId } }
  const data = { event, severity, message, 'delivery-status': { message: answer } }
  return { signature: mailSignature(key, at, token), 'event-data': data }
}

/** What Mailgun signs a call at this time with. */
export function mailSignature(key: string, at: Date, token: string = randomUUID()) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  return { timestamp, token, signature }
}
