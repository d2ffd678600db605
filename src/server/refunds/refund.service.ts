import Stripe from 'stripe'
import { dayIn, type Day } from '#shared/domain/day.ts'
import { GUARANTEE_DAYS, isWithinGuarantee } from '#shared/domain/guarantee.ts'
import type { RequestContext } from '#server/context.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { StartError } from '#server/start-error.ts'
import { isAboutOne } from '#server/billing/stripe.ts'
import {
  cancelNow,
  firstPaymentOf,
  markOwnerTold,
  refundRest,
  refundsOf,
  type FirstPayment,
} from '#server/billing/stripe-refunds.ts'
import { whileNobodySyncs } from '#server/billing/sync-subscription.ts'
import { REFUND_SUBJECT, refundLetter } from './refund-letter.ts'

type RefundContext = Pick<RequestContext, 'db' | 'services'>

export interface Payer {
  /** Empty if there is none. */
  email: string
  /** At Stripe; null for an account that never opened a checkout. */
  customer: string | null
  timeZone: string
}

export interface Refunded {
  /** As in $29.00. */
  amount: string
  /** False if an earlier run had done everything. */
  isNew: boolean
  owner: 'emailed' | 'has no address' | 'address refused'
}

/** Some of it may be done. The same command does the rest, and nothing twice. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError'
}

/**
 * Gives an account's first payment back if its owner wrote in time, ends the subscription it was for, and tells the owner.
 * An earlier refund of the payment, also one by hand, is completed by what is missing. For the operator.
 * @throws StartError, where nothing was changed, and UnfinishedError
 */
export async function refundFirstPayment(ctx: RefundContext, payer: Payer, writtenOn: Day): Promise<Refunded> {
  const { customer } = payer
  if (!customer) throw new StartError('this account has never paid')
  // What servers remember of a caller, they forget within half a minute by themselves.
  const syncing = { ...ctx, callers: { forget: () => {} } }
  return whileNobodySyncs(syncing, customer, async (sync) => {
    const { payment, refunds } = await orSay(findPayment(ctx, customer), unchanged)
    const amount = amountText(payment)
    if (refunds.full?.isOwnerTold) return { amount, isNew: false, owner: payer.email ? 'emailed' : 'has no address' }
    if (!refunds.full) refuseLate(payment, payer, writtenOn)
    const refund = refunds.full ?? (await orSay(refundRest(ctx.services.stripe, payment, refunds), refusedOrUnfinished))
    const finish = async () => {
      await cancelNow(ctx.services.stripe, payment.subscription)
      await sync()
      const owner = await tellOwner(ctx, payer, { amount, key: refund.id })
      await markOwnerTold(ctx.services.stripe, refund)
      return owner
    }
    return { amount, isNew: true, owner: await orSay(finish(), unfinished) }
  })
}

async function findPayment({ services: { stripe } }: RefundContext, customer: string) {
  const payment = await firstPaymentOf(stripe, customer)
  if (!payment) throw new StartError('this account has never paid')
  return { payment, refunds: await refundsOf(stripe, payment) }
}

function refuseLate(payment: FirstPayment, { timeZone }: Payer, writtenOn: Day): void {
  const paidOn = dayIn(payment.paidAt, timeZone)
  if (isWithinGuarantee(paidOn, writtenOn)) return
  throw new StartError(
    `the first payment, ${amountText(payment)}, was on ${paidOn}, and the request came on ${writtenOn}, more than ${GUARANTEE_DAYS} days later`,
  )
}

/** An owner whose address is refused for good is told by what the card shows. */
async function tellOwner(
  { services: { mailer, contactMail, publicUrl } }: RefundContext,
  { email }: Payer,
  { amount, key }: { amount: string; key: string },
): Promise<Refunded['owner']> {
  if (email === '') return 'has no address'
  const letter = refundLetter({ amount, publicUrl })
  try {
    await sendLetter(mailer, { to: email, replyTo: contactMail, subject: REFUND_SUBJECT, letter, key })
    return 'emailed'
  } catch (error) {
    if (mailFailureOf(error) !== 'refused') {
      throw new Error(`the owner could not be emailed (${textOf(error)})`, { cause: error })
    }
    return 'address refused'
  }
}

async function orSay<T>(work: Promise<T>, said: (error: unknown) => Error): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof StartError ? error : said(error)
  }
}

function unchanged(error: unknown): Error {
  return new StartError(textOf(error), { cause: error })
}

/** Stripe's own refusal says that nothing was refunded; any other failure leaves that open. */
function refusedOrUnfinished(error: unknown): Error {
  return isAboutOne(error) ? unchanged(error) : unfinished(error)
}

function unfinished(error: unknown): Error {
  return new UnfinishedError(textOf(error), { cause: error })
}

function textOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeConnectionError) return 'Stripe did not answer'
  return error instanceof Error ? error.message : String(error)
}

function amountText({ amount, currency }: FirstPayment): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
