import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { addMonths } from '#standins/stripe/billing-interval.ts'
import type { Engine } from '#standins/stripe/engine.ts'
import { StripeProblem } from '#standins/stripe/problem.ts'
import { recentEvents } from '#standins/stripe/recent-events.ts'
import { clockPage } from './clock-view.ts'

const DAY = 86_400
const FURTHEST = 800 * DAY
const EVENTS_SHOWN = 40

const amount = z.coerce.number().positive()
const Move = z.union([
  z.strictObject({ seconds: amount }),
  z.strictObject({ days: amount }),
  z.strictObject({ months: amount.int() }),
])

export function addClockPages(app: FastifyInstance, engine: Engine): void {
  app.get('/clock', async () => {
    const events = await recentEvents(engine, EVENTS_SHOWN)
    return clockPage({ now: engine.now(), offset: engine.offset, events })
  })

  app.post('/clock', async (request, reply) => {
    await engine.advance(secondsOf(request.body, engine.now()))
    if (!request.headers['content-type']?.startsWith('application/json')) return reply.redirect('/__stripe/clock', 303)
    const now = new Date(engine.now() * 1000).toISOString()
    return reply.type('application/json').send({ now, offset: engine.offset })
  })

  app.post<{ Params: { id: string } }>('/events/:id/send', async ({ params }, reply) => {
    await engine.sendAgain(params.id)
    return reply.redirect('/__stripe/clock', 303)
  })
}

function secondsOf(body: unknown, now: number): number {
  const move = Move.safeParse(body)
  const seconds = move.success ? Math.round(length(move.data, now)) : 0
  if (seconds >= 1 && seconds <= FURTHEST) return seconds
  throw new StripeProblem(400, 'Give {"days": n} or {"seconds": n}: more than nothing, and 800 days at most.')
}

function length(move: z.output<typeof Move>, now: number): number {
  if ('seconds' in move) return move.seconds
  if ('days' in move) return move.days * DAY
  return addMonths(now, move.months) - now
}
