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
import { withSyncLock } from '#server/billing/sync-subscription.ts'
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

/** Some steps may be done. Repeating the command does the rest, and nothing twice. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError'
}

/**
 * Refunds an account's first payment if its owner wrote in time, ends the subscription it was for, and emails the owner.
 * If the payment was refunded before, also by hand, only the missing steps are done. For the operator.
 * @throws StartError, where nothing was changed, and UnfinishedError
 */
export async function refundFirstPayment(ctx: RefundContext, payer: Payer, writtenOn: Day): Promise<Refunded> {
  const { customer } = payer
  if (!customer) throw new StartError('this account has never paid')
  // Callers cached by servers expire within half a minute.
  const syncing = { ...ctx, callers: { forget: () => {} } }
  return withSyncLock(syncing, customer, async (sync) => {
    const { payment, refunds } = await orThrow(findPayment(ctx, customer), unchanged)
    const amount = amountText(payment)
    if (refunds.full?.isOwnerTold) return { amount, isNew: false, owner: payer.email ? 'emailed' : 'has no address' }
    if (!refunds.full) refuseLate(payment, payer, writtenOn)
    const refund =
      refunds.full ?? (await orThrow(refundRest(ctx.services.stripe, payment, refunds), refusedOrUnfinished))
    const finish = async () => {
      await cancelNow(ctx.services.stripe, payment.subscription)
      await sync()
      const owner = await tellOwner(ctx, payer, { amount, key: refund.id })
      await markOwnerTold(ctx.services.stripe, refund)
      return owner
    }
    return { amount, isNew: true, owner: await orThrow(finish(), unfinished) }
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

/** If the address is refused for good, the owner learns of the refund from the card statement. */
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

async function orThrow<T>(work: Promise<T>, asError: (error: unknown) => Error): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof StartError ? error : asError(error)
  }
}

function unchanged(error: unknown): Error {
  return new StartError(textOf(error), { cause: error })
}

/** If Stripe refuses, nothing was refunded; after any other failure nobody knows. */
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
