import type { RefusalKey } from '#shared/errors.ts'
import { SCREEN_REFUSALS } from '#shared/screen-refusals.ts'

export const NETWORK_ERROR = 'Network error'
export const FAULT = 'Something went wrong'

/** A failed call: screens decide by `refusal` and show `message`. */
export interface Failure {
  message: string
  refusal: RefusalKey | undefined
  /** What is wrong with each field, by its name. */
  fields: Record<string, string>
  /** No answer came at all. */
  isNetwork: boolean
  /** When to retry, if the server says so. */
  retryAfterSeconds?: number | undefined
}

/** A REST call that did not succeed, read by `failureOf` and `failureText` like any other. */
export class RestFailure extends Error implements Failure {
  readonly refusal: RefusalKey | undefined
  readonly isNetwork: boolean
  readonly fields = {}
  /** The whole answer, for what it tells besides its text. */
  readonly answer: unknown

  private constructor({ message, refusal, isNetwork = false, answer }: Partial<Failure> & { answer?: unknown }) {
    super(message)
    this.refusal = refusal
    this.isNetwork = isNetwork
    this.answer = answer
  }

  /** Nobody is signed in. */
  static signedOut(): RestFailure {
    return new RestFailure({ message: 'Unable to get authentication token', refusal: 'NOT_SIGNED_IN' })
  }

  /** Signed in, but no token. */
  static withoutToken(): RestFailure {
    return RestFailure.refusedHere('TOKEN_MISSING', SCREEN_REFUSALS.TOKEN_MISSING.message)
  }

  /** For calls that the server would refuse, and so are not sent. */
  static refusedHere(refusal: RefusalKey, message: string): RestFailure {
    return new RestFailure({ message, refusal })
  }

  /** No answer came at all. */
  static unanswered(): RestFailure {
    return new RestFailure({ message: NETWORK_ERROR, isNetwork: true })
  }

  /** Reads the refusal in an unsuccessful response. Anything else comes from a proxy. */
  static answered(status: number, body: string): RestFailure {
    const answer = jsonOf(body)
    const message = wordsOf(answer) ?? FAULT
    return new RestFailure({ message, refusal: refusalOf(status, answer), answer })
  }
}

/** Undefined if it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function wordsOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined
  return typeof answer.error === 'string' ? answer.error : undefined
}

function refusalOf(status: number, answer: unknown): RefusalKey {
  if (typeof answer === 'object' && answer !== null && 'refusal' in answer && isKey(answer.refusal)) {
    return answer.refusal
  }
  // From a proxy.
  if (status === 401) return 'NOT_SIGNED_IN'
  return status === 402 ? 'SUBSCRIPTION_REQUIRED' : 'FAULT'
}

/** The server sends no others; the table of their sentences would weigh too much to look here. */
function isKey(refusal: unknown): refusal is RefusalKey {
  return typeof refusal === 'string'
}
