/**
 * How sending failed: the server refused this message for good; it was certainly not sent, and may be tried again; or
 * the connection was lost at a point where nobody can tell whether it was sent.
 */
export type MailFailure = 'refused' | 'unreachable' | 'unknown'

/** What fails with these has not come as far as the message itself. */
const BEFORE_THE_MESSAGE = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'EREQUIRETLS', 'EENVELOPE']
const OF_THE_MESSAGE = ['EENVELOPE', 'EMESSAGE']
/** The pool's word for a server that hangs up again and again before a byte of the message. */
const NEVER_BEGUN = /^Reached maximum number of retries/
const BEFORE_ANY_COMMAND = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']

export function mailFailureOf(error: unknown): MailFailure {
  const code = fieldOf(error, 'code')
  if (fieldOf(error, 'permanent') === true && OF_THE_MESSAGE.some((one) => one === code)) return 'refused'
  const hasAnswer = typeof fieldOf(error, 'responseCode') === 'number'
  const isBefore =
    BEFORE_THE_MESSAGE.some((one) => one === code) ||
    BEFORE_ANY_COMMAND.some((one) => one === fieldOf(error, 'timeoutType')) ||
    fieldOf(error, 'syscall') === 'connect' ||
    NEVER_BEGUN.test(String(fieldOf(error, 'message')))
  return hasAnswer || isBefore ? 'unreachable' : 'unknown'
}

/** What the mail server, or the way to it, said. */
export function answerOf(error: unknown): string {
  const response = fieldOf(error, 'response')
  const text = typeof response === 'string' ? response : String(fieldOf(error, 'message') ?? error)
  return text.slice(0, 500)
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
}
