import Stripe from 'stripe'
import { onTestFinished } from 'vitest'
import type { Shop } from './stripe-shop.ts'

export interface Moment {
  call: string
  at: 'asked' | 'answered'
}

/** Stripe over a wire that stops at one call until it is released; given a failure, that call fails from then on. */
export function heldAt(shop: Pick<Shop, 'client'>, { call, at }: Moment) {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<Error | undefined>()
  onTestFinished(() => released.resolve(undefined))
  const wire: typeof fetch = async (input, init) => {
    const asked = `${init?.method ?? 'GET'} ${new URL(addressOf(input)).pathname}`
    const isIt = asked === call || (call.endsWith('/') && asked.startsWith(call))
    const hold = async () => {
      reached.resolve()
      const failure = await released.promise
      if (failure) throw failure
    }
    if (isIt && at === 'asked') await hold()
    const answer = await fetch(input, init)
    if (isIt && at === 'answered') await hold()
    return answer
  }
  const stripe = shop.client({ httpClient: Stripe.createFetchHttpClient(wire) })
  return { stripe, reached: reached.promise, release: (failure?: Error) => released.resolve(failure) }
}

function addressOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString()
}
