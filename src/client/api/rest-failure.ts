import type { RefusalKey } from '#shared/errors.ts'
import { SCREEN_REFUSALS } from '#shared/refusals/screen.ts'

export const NETWORK_ERROR = 'Network error'
export const FAULT = 'Something went wrong'

/** A failed call: screens decide by `refusal` and show `message`. */
export interface Failure {
  message: string
  refusal: RefusalKey | undefined
  /** What is wrong with each field, by its name. */
  fields: Record<string, string>
  /** There was no response. */
  isNetwork: boolean
  /** When to retry, if the server says so. */
  retryAfterSeconds?: number | undefined
}

interface Failed extends Failure {
  status: number
  response: unknown
}

/** A REST call that did not succeed, read by `failureOf` and `failureText` like any other. */
export class RestFailure extends Error implements Failure {
  readonly refusal: RefusalKey | undefined
  readonly isNetwork: boolean
  readonly fields = {}
  /** Undefined where there was no response. */
  readonly status: number | undefined
  /** The response body, for details besides its message. */
  readonly response: unknown

  private constructor({ message, refusal, isNetwork = false, status, response }: Partial<Failed>) {
    super(message)
    this.refusal = refusal
    this.isNetwork = isNetwork
    this.status = status
    this.response = response
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

  static noResponse(): RestFailure {
    return new RestFailure({ message: NETWORK_ERROR, isNetwork: true })
  }

  /** Reads the refusal in an unsuccessful response. Anything else comes from a proxy. */
  static fromResponse(status: number, body: string): RestFailure {
    const response = jsonOf(body)
    const message = messageOf(response) ?? FAULT
    return new RestFailure({ message, refusal: refusalOf(status, response), status, response })
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

function messageOf(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null || !('error' in response)) return undefined
  return typeof response.error === 'string' ? response.error : undefined
}

function refusalOf(status: number, response: unknown): RefusalKey {
  if (typeof response === 'object' && response !== null && 'refusal' in response && isKey(response.refusal)) {
    return response.refusal
  }
  // From a proxy.
  if (status === 401) return 'NOT_SIGNED_IN'
  return status === 402 ? 'SUBSCRIPTION_REQUIRED' : 'FAULT'
}

/** The server sends no other keys, and the table of refusals is too large to load for a check. */
function isKey(refusal: unknown): refusal is RefusalKey {
  return typeof refusal === 'string'
}
