import { z } from 'zod'
import { text } from './fields.ts'

const externalId = text(255).min(1, 'Must name whom it is about')

export const SubscriptionOf = z.object({ userId: externalId })
export type SubscriptionOf = z.output<typeof SubscriptionOf>

/** Callers may send a price, an e-mail and a trial besides; all three are the account's own, whatever they say. */
export const StartCheckout = z.object({ userId: externalId.optional() })
export type StartCheckout = z.output<typeof StartCheckout>

export const OpenPortal = z.object({ customerId: externalId.optional() })
export type OpenPortal = z.output<typeof OpenPortal>
