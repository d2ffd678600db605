import type { FastifyInstance } from 'fastify'
import { emailMistake, NOTHING_TYPED, readCardForm, type Read } from '#standins/stripe/card-form.ts'
import { completeSession, needsCard, successUrlOf } from '#standins/stripe/checkout-completion.ts'
import type { Engine } from '#standins/stripe/engine.ts'
import { MERCHANT } from '#standins/stripe/merchant.ts'
import type { CheckoutSession } from '#standins/stripe/object-types.ts'
import { StripeProblem } from '#standins/stripe/problem.ts'
import { find, findStored } from '#standins/stripe/store.ts'
import type { Transaction } from '#standins/stripe/transaction.ts'
import { checkoutPage, type CheckoutProps, type Offer } from './checkout-view.ts'
import { message } from './layout.ts'

interface Params {
  id: string
}

/** What the browser gets: a page, or where to go. */
type Answer = { status: number; page: string } | { location: string }

const UNTOUCHED: CheckoutProps = { typed: NOTHING_TYPED, mistakes: {}, decline: null }

export function addCheckoutPages(app: FastifyInstance, engine: Engine): void {
  app.get<{ Params: Params }>('/checkout/:id', async (request, reply) => {
    const { status, page } = await engine.read((tx) => show(tx, request.params.id))
    return reply.status(status).send(page)
  })

  app.post<{ Params: Params }>('/checkout/:id', async (request, reply) => {
    const answer = await send(engine, request.params.id, request.body)
    return 'location' in answer ? reply.redirect(answer.location, 303) : reply.status(answer.status).send(answer.page)
  })
}

async function show(tx: Transaction, id: string): Promise<{ status: number; page: string }> {
  const offer = await offerOf(tx, id)
  if (!offer) return { status: 404, page: UNKNOWN }
  return isOpen(offer)
    ? { status: 200, page: checkoutPage(offer, UNTOUCHED) }
    : { status: 410, page: closed(offer.session) }
}

async function send(engine: Engine, id: string, form: unknown): Promise<Answer> {
  const offer = await engine.read((tx) => offerOf(tx, id))
  if (!offer) return { status: 404, page: UNKNOWN }
  const read = readForm(offer, form)
  const isWrong = isOpen(offer) && Object.keys(read.mistakes).length > 0
  if (isWrong) return { status: 422, page: checkoutPage(offer, { ...read, decline: null }) }
  try {
    return await engine.write((tx) => complete(tx, id, read))
  } catch (error) {
    if (!(error instanceof StripeProblem) || error.status !== 402) throw error
    const typed = { ...read.typed, cvc: '' }
    return { status: 402, page: checkoutPage(offer, { typed, mistakes: {}, decline: error.message }) }
  }
}

// Sending the form twice, as with a double click, completes the session once and leads to the same place.
async function complete(tx: Transaction, id: string, { card, typed }: Read): Promise<Answer> {
  const session = await findStored(tx, 'checkout.session', id)
  if (session?.data.status === 'complete') return { location: successUrlOf(session.data) }
  if (session?.data.status !== 'open') return { status: 410, page: session ? closed(session.data) : UNKNOWN }
  const email = session.data.customer_details?.email ?? typed.email
  const filled = { email, card: needsCard(session.data) ? { ...card, email } : null }
  return { location: await completeSession(tx, session, filled) }
}

function readForm({ session, now }: Offer, form: unknown): Read {
  const read = readCardForm(form, now)
  const card = needsCard(session) ? read.mistakes : {}
  const email = session.customer_details?.email ? {} : emailMistake(read.typed.email)
  return { ...read, mistakes: { ...email, ...card } }
}

async function offerOf(tx: Transaction, id: string): Promise<Offer | null> {
  const stored = await findStored(tx, 'checkout.session', id)
  const price = stored && (await find(tx, 'price', stored.hidden.price))
  const product = price && (await find(tx, 'product', price.product))
  if (!stored || !product) return null
  return { session: stored.data, purchase: stored.hidden, price, productName: product.name, now: tx.now }
}

function isOpen({ session, now }: Offer): boolean {
  return session.status === 'open' && session.expires_at > now
}

const UNKNOWN = message({ title: 'Page not found', text: 'There is no checkout at this address.' })

function closed(session: CheckoutSession): string {
  if (session.status === 'complete') {
    return message({
      title: 'You are all done here',
      text: 'This checkout has been completed.',
      link: { href: successUrlOf(session), label: `Continue to ${MERCHANT.name}` },
    })
  }
  return message({
    title: 'This checkout has expired',
    text: `Nothing was charged. Go back to ${MERCHANT.name} to start again.`,
    link: session.cancel_url === null ? null : { href: session.cancel_url, label: `Back to ${MERCHANT.name}` },
  })
}
