import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { NOTHING_TYPED, readCardForm } from '#standins/stripe/card-form.ts'
import type { Engine } from '#standins/stripe/engine.ts'
import { queryOf } from '#standins/stripe/form.ts'
import type { Decline } from '#standins/stripe/object-types.ts'
import { cancelAtPeriodEnd, keepPlan, payWhatIsOwed, replaceCard } from '#standins/stripe/portal-actions.ts'
import { missing, StripeProblem } from '#standins/stripe/problem.ts'
import type { Transaction } from '#standins/stripe/transaction.ts'
import { openPortal, readPortal } from './portal-reading.ts'
import { cancelPage, cardPage, portalPage, type Notice } from './portal-view.ts'

interface Params {
  Params: { id: string }
}

const NOTICES = new Map<unknown, Notice>([
  ['card', { isGood: true, text: 'Your card was updated.' }],
  ['paid', { isGood: true, text: 'Your payment went through.' }],
  ['canceled', { isGood: true, text: 'Your plan was canceled.' }],
  ['renewed', { isGood: true, text: 'Your plan goes on.' }],
  ['declined', { isGood: false, text: 'The payment failed. Use another card, or try again later.' }],
])

const Chosen = z.object({ subscription: z.string() })

export function addPortalPages(app: FastifyInstance, engine: Engine): void {
  app.get<Params>('/portal/:id', async ({ params, url }) => {
    const notice = NOTICES.get(queryOf(url).done) ?? null
    return portalPage(await engine.read((tx) => readPortal(tx, params.id)), notice)
  })

  app.get<Params>('/portal/:id/card', async ({ params }) => {
    const portal = await engine.read((tx) => readPortal(tx, params.id))
    return cardPage(portal, { typed: NOTHING_TYPED, mistakes: {}, decline: null })
  })

  app.post<Params>('/portal/:id/card', async ({ params, body }, reply) => {
    const answer = await updateCard(engine, params.id, body)
    return 'page' in answer ? reply.status(answer.status).send(answer.page) : reply.redirect(answer.location, 303)
  })

  app.get<Params>('/portal/:id/cancel', async ({ params, url }) => {
    const { subscription: id } = chosen(queryOf(url))
    const portal = await engine.read((tx) => readPortal(tx, params.id))
    const plan = portal.plans.find(({ subscription }) => subscription.id === id)
    if (!plan) throw missing('subscription', id)
    return cancelPage(portal, plan)
  })

  app.post<Params>('/portal/:id/cancel', async ({ params, body }, reply) => {
    await act(engine, params.id, (tx, customer) => cancelAtPeriodEnd(tx, customer, chosen(body).subscription))
    return reply.redirect(home(params.id, 'canceled'), 303)
  })

  app.post<Params>('/portal/:id/renew', async ({ params, body }, reply) => {
    await act(engine, params.id, (tx, customer) => keepPlan(tx, customer, chosen(body).subscription))
    return reply.redirect(home(params.id, 'renewed'), 303)
  })

  app.post<Params>('/portal/:id/retry', async ({ params }, reply) => {
    const decline = await act(engine, params.id, payWhatIsOwed)
    return reply.redirect(home(params.id, decline ? 'declined' : 'paid'), 303)
  })
}

type Answer = { status: number; page: string } | { location: string }

async function updateCard(engine: Engine, id: string, form: unknown): Promise<Answer> {
  const portal = await engine.read((tx) => readPortal(tx, id))
  const { card, mistakes, typed } = readCardForm(form, engine.now())
  if (Object.keys(mistakes).length > 0)
    return { status: 422, page: cardPage(portal, { typed, mistakes, decline: null }) }
  try {
    const details = { ...card, email: portal.email }
    const decline = await act(engine, id, (tx, customer) => replaceCard(tx, customer, details))
    return { location: home(id, decline ? 'declined' : 'card') }
  } catch (error) {
    if (!(error instanceof StripeProblem) || error.status !== 402) throw error
    const page = cardPage(portal, { typed: { ...typed, cvc: '' }, mistakes: {}, decline: error.message })
    return { status: 402, page }
  }
}

function act<T extends Decline | null | void>(
  engine: Engine,
  id: string,
  work: (tx: Transaction, customer: string) => Promise<T>,
): Promise<T> {
  return engine.write(async (tx) => {
    const { customer } = await openPortal(tx, id)
    return work(tx, customer)
  })
}

function chosen(input: unknown): z.output<typeof Chosen> {
  const parsed = Chosen.safeParse(input)
  return parsed.success ? parsed.data : { subscription: '' }
}

function home(id: string, done: string): string {
  return `/__stripe/portal/${id}?done=${done}`
}
