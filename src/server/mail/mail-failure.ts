/**
 * How sending failed. 'refused': the server will never take this message. 'deferred': not now (greylisting, a full mailbox),
 * though it may take others. 'unreachable': no server takes any message. 'unknown': the connection broke when the message
 * may already have been sent. Deferred and unreachable messages were certainly not sent and can be retried.
 */
export type MailFailure = 'refused' | 'deferred' | 'unreachable' | 'unknown'

/** Failures with these codes happen before the message is transmitted. */
const BEFORE_THE_MESSAGE = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EREQUIRETLS', 'EENVELOPE']
const OF_THE_MESSAGE = ['EENVELOPE', 'EMESSAGE']
/** The pool's message for a server that keeps closing the connection before the message begins. */
const NEVER_BEGUN = /^Reached maximum number of retries/
/** Responses to these commands concern only this recipient or this message. */
const OF_THIS_ONE = ['RCPT TO', 'DATA']
/** The server is closing the connection. */
const SHUTTING_DOWN = 421
const BEFORE_ANY_COMMAND = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']

export function mailFailureOf(error: unknown): MailFailure {
  const code = fieldOf(error, 'code')
  if (fieldOf(error, 'permanent') === true && OF_THE_MESSAGE.some((one) => one === code)) return 'refused'
  const answerCode = fieldOf(error, 'responseCode')
  const hasAnswer = typeof answerCode === 'number'
  const isOfThisOne = OF_THIS_ONE.some((one) => one === fieldOf(error, 'command'))
  if (hasAnswer && isOfThisOne && answerCode !== SHUTTING_DOWN) return 'deferred'
  const isBefore =
    BEFORE_THE_MESSAGE.some((one) => one === code) ||
    BEFORE_ANY_COMMAND.some((one) => one === fieldOf(error, 'timeoutType')) ||
    fieldOf(error, 'syscall') === 'connect' ||
    NEVER_BEGUN.test(String(fieldOf(error, 'message')))
  return hasAnswer || isBefore ? 'unreachable' : 'unknown'
}

/** The enhanced status code (RFC 3463): 5.1 is about an address, 5.1.7 and 5.1.8 about the sender's. */
const ENHANCED = /^5\d\d[ -]5\.(\d{1,3})\.(\d{1,3})\b/
/** Without an enhanced code: no such mailbox, not local, not a valid mailbox name. */
const NO_MAILBOX = [550, 551, 553]

/** Whether the server permanently refused the recipient's address, rather than the message or its sender. */
export function refusesAddress(error: unknown): boolean {
  if (fieldOf(error, 'command') !== 'RCPT TO') return false
  const [enhanced, subject, detail = ''] = ENHANCED.exec(answerOf(error)) ?? []
  if (enhanced) return subject === '1' && !['7', '8'].includes(detail)
  return NO_MAILBOX.some((code) => code === fieldOf(error, 'responseCode'))
}

/** The response of the mail server, or the connection's error. */
export function answerOf(error: unknown): string {
  const response = fieldOf(error, 'response')
  const text = typeof response === 'string' ? response : String(fieldOf(error, 'message') ?? error)
  return text.slice(0, 500)
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
}
