import * as z from 'zod/mini'
import { text } from './filters.ts'

const externalId = text(255).check(z.minLength(1, 'Must not be blank'))

export const SubscriptionOf = z.object({ userId: externalId })
export type SubscriptionOf = z.output<typeof SubscriptionOf>

/** Callers may also send a price, an email, and a trial, which are ignored: the account's own are used. */
export const StartCheckout = z.object({ userId: z.optional(externalId) })
export type StartCheckout = z.output<typeof StartCheckout>

export const OpenPortal = z.object({ customerId: z.optional(externalId) })
export type OpenPortal = z.output<typeof OpenPortal>
