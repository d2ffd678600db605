import type Stripe from 'stripe'

type Primitive = string | number | boolean | null | undefined | void

/** What the SDK's type looks like as JSON: decimals travel as strings. */
export type Wire<T> = T extends Stripe.Decimal ? string : T extends Primitive ? T : T extends object ? WireObject<T> : T

export type WireObject<T extends object> = { [Key in keyof T]: Wire<T[Key]> }
