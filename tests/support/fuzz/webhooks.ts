import { z } from 'zod'
import { signatureOf } from '#standins/stripe/signature.ts'
import { mailSignature } from '#support/mail-event.ts'
import type { Call, Signer } from './call.ts'

/** What a server checks the webhooks of its outside services with. */
export interface WebhookSecrets {
  stripe: string
  mail: string
  /** The server's clock, by which the mail provider's signatures are good for a while. */
  now: () => Date
}

/** Their content, which a signature says nothing of. */
export const WEBHOOKS = {
  'POST /stripe/webhook': z.object({
    id: z.string(),
    type: z.string(),
    data: z.object({ object: z.object({ object: z.string(), id: z.string(), customer: z.string() }) }),
  }),
  'POST /mail/webhook': z.object({
    'event-data': z.object({
      event: z.enum(['failed', 'complained', 'delivered']),
      severity: z.enum(['permanent']),
      message: z.object({ headers: z.object({ 'message-id': z.string() }) }),
      'delivery-status': z.object({ message: z.string(), description: z.string() }),
    }),
  }),
}

export function signerOf(name: string): Signer | undefined {
  if (!(name in WEBHOOKS)) return undefined
  return name.includes('stripe') ? 'stripe' : 'mail'
}

/** The call with the signature that its signer would give it. */
export function signed(call: Call, secrets: WebhookSecrets): Call {
  const body = String(call.body ?? '')
  if (call.signer === 'stripe') {
    const moment = Math.floor(Date.now() / 1000)
    return { ...call, headers: { ...call.headers, 'stripe-signature': signatureOf(body, secrets.stripe, moment) } }
  }
  if (call.signer !== 'mail' || !body.startsWith('{')) return call
  const signature = JSON.stringify({ signature: mailSignature(secrets.mail, secrets.now()) })
  return { ...call, body: body === '{}' ? signature : `${signature.slice(0, -1)},${body.slice(1)}` }
}
