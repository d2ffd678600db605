import { createHmac } from 'node:crypto'

/** The `stripe-signature` header of a body sent at a moment, in Unix seconds of the real clock. */
export function signatureOf(body: string, secret: string, moment: number): string {
  return `t=${moment},v1=${createHmac('sha256', secret).update(`${moment}.${body}`).digest('hex')}`
}
