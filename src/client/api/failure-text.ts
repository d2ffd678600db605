import { failureOf } from './trpc.ts'

/** A page's message when the server sent none. */
export interface FailureTexts {
  /** The server failed without a reason of its own. */
  failed: string
  /** There was no response. */
  network?: string
  signedOut?: string
  /** Signed in, but there is no token. */
  noToken?: string
}

export const SUBSCRIPTION_UNKNOWN: FailureTexts = {
  failed: 'Failed to fetch subscription status',
  network: 'Error fetching subscription',
}

/** The server's message if it sent one, else the page's (spec, section 8). */
export function failureText(error: unknown, { failed, network, signedOut, noToken }: FailureTexts): string {
  const { isNetwork, refusal, message } = failureOf(error)
  if (isNetwork) return network ?? message
  if (refusal === 'NOT_SIGNED_IN') return signedOut ?? message
  if (refusal === 'TOKEN_MISSING') return noToken ?? message
  return refusal === undefined || refusal === 'FAULT' ? failed : message
}
