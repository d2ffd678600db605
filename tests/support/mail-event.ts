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
  const timestamp = String(NOON.getTime() / 1000 + minutes * 60)
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex')
  const message = messageId === undefined ? undefined : { headers: { 'message-id': messageId } }
  const data = { event, severity, message, 'delivery-status': { message: answer } }
  return { signature: { timestamp, token, signature }, 'event-data': data }
}
