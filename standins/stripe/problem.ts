import type { Decline } from './object-types.ts'

interface Reason {
  type?: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  code?: string
  decline_code?: string
  param?: string
}

/** An answer that Stripe gives in place of what was asked for: `{ error: { ... } }`, whatever the status. */
export class StripeProblem extends Error {
  readonly status: number
  readonly body: { error: Reason & { message: string } }
  /** Whether earlier changes are kept (such as a declined card); otherwise they are rolled back. */
  readonly keepsChanges: boolean

  constructor(status: number, message: string, reason: Reason & { keepsChanges?: boolean } = {}) {
    super(message)
    const { keepsChanges = false, ...rest } = reason
    this.status = status
    this.body = { error: { type: 'invalid_request_error', ...rest, message } }
    this.keepsChanges = keepsChanges
  }
}

export function missing(what: string, id: string, param = 'id'): StripeProblem {
  return new StripeProblem(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

/** As `missing`, where the id stood among the parameters and not in the path. */
export function unknownReference(what: string, id: string, param: string): StripeProblem {
  return new StripeProblem(400, `No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

export function cardDeclined({ code, declineCode, message }: Decline, keepsChanges: boolean): StripeProblem {
  const decline = declineCode ? { decline_code: declineCode } : {}
  return new StripeProblem(402, message, { type: 'card_error', code, ...decline, keepsChanges })
}
