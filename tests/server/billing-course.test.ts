import { describe, expect, test } from 'vitest'
import { useFullServer, type Person } from '#support/full-server.ts'
import {
  DAY,
  eventually,
  FAILS_LATER,
  moveClock,
  onTrial,
  pay,
  restCall,
  send,
  stripeIdsOf,
} from '#support/hosted-pages.ts'

const held = useFullServer()

const seconds = (date: Date | null) => Math.floor((date?.getTime() ?? 0) / 1000)

/** What somebody does on the page of the payment provider. */
async function inPortal(person: Person, action: 'cancel' | 'renew') {
  const { url } = await person.trpc.billing.openPortal.mutate()
  const { subscription } = await stripeIdsOf(held.server, person)
  expect(await send(`${url}/${action}`, { subscription })).toMatchObject({ status: 303 })
}

describe('canceling', () => {
  test('keeps everything open to the end of what is paid for, and can be taken back', async () => {
    const person = await onTrial(held.server)
    const { trialEnd } = await person.trpc.billing.subscription.query()
    await inPortal(person, 'cancel')
    await eventually(person).toMatchObject({
      status: 'trialing',
      access: 'full',
      cancelAt: trialEnd,
      canceledAt: expect.any(Date),
    })
    await inPortal(person, 'renew')
    await eventually(person).toMatchObject({ status: 'trialing', cancelAt: null, canceledAt: null })
    await moveClock(held.server, 14 * DAY + 3600)
    await eventually(person).toMatchObject({ status: 'active', price: 29 })
    const { currentPeriodEnd } = await person.trpc.billing.subscription.query()
    expect((seconds(currentPeriodEnd) - seconds(trialEnd)) / DAY).toBeGreaterThanOrEqual(28)
  })

  test('ends the subscription on its day, and who comes back is charged at once', async () => {
    const person = await onTrial(held.server)
    await inPortal(person, 'cancel')
    await moveClock(held.server, 14 * DAY + 3600)
    await eventually(person).toMatchObject({ status: 'canceled', access: 'read-only', screens: 'checkout' })
    const { url } = await person.trpc.billing.startCheckout.mutate()
    expect((await pay(url)).location).toMatch(/\/checkout\/success\?session_id=cs_\w+$/)
    await eventually(person).toMatchObject({ status: 'active', trialEnd: null, cancelAt: null, endedAt: null })
  })
})

describe('a payment that stays overdue', () => {
  const OVERDUE = '402 Your last payment failed, so TRAXX is read-only until you update your card'
  const ENDED = '402 Your subscription has ended, so TRAXX is read-only. Subscribe again to make changes'
  const READS = ['/customers', '/dashboard', '/customers/export.csv', '/export']

  /** A customer whose card failed when the trial ended. */
  async function whoIsOverdue() {
    const person = await onTrial(held.server, { number: FAILS_LATER })
    await moveClock(held.server, 14 * DAY + 3600)
    await eventually(person).toMatchObject({ status: 'past_due' })
    return person
  }

  /** Through both transports: may one write, read and export? */
  async function tryAll({ trpc, token: bearer }: Person) {
    const body = { name: 'New Ltd' }
    const written = await trpc.customers.create.mutate(body).then(() => 'done', wordsOf)
    const posted = await restCall(held.server, { bearer, method: 'POST', path: '/customers', body })
    const reads = READS.map((path) => restCall(held.server, { bearer, method: 'GET', path }))
    return {
      trpc: written,
      rest: posted.status === 201 ? 'done' : `${posted.status} ${posted.body.error}`,
      reads: (await Promise.all(reads)).map(({ status }) => status),
    }
  }

  test('changes nothing for seven days, whose end is known', async () => {
    const person = await whoIsOverdue()
    const { pastDueSince, graceEndsAt } = await person.trpc.billing.subscription.query()
    expect(seconds(graceEndsAt) - seconds(pastDueSince)).toBe(7 * DAY)
    expect(await tryAll(person)).toEqual({ trpc: 'done', rest: 'done', reads: [200, 200, 200, 200] })
  })

  test('then makes writes 402 with the reason through both transports; reading and export go on', async () => {
    const person = await whoIsOverdue()
    await moveClock(held.server, 7 * DAY)
    expect(await tryAll(person)).toEqual({ trpc: OVERDUE, rest: OVERDUE, reads: [200, 200, 200, 200] })
    expect(await person.trpc.billing.subscription.query()).toMatchObject({ screens: 'app-read-only' })
    const { url } = await person.trpc.billing.openPortal.mutate()
    await pay(`${url}/card`)
    await eventually(person).toMatchObject({ status: 'active', pastDueSince: null })
    expect(await tryAll(person)).toMatchObject({ trpc: 'done', rest: 'done' })
  })

  test('ends the subscription after the last try, which is read on, and can be bought anew', async () => {
    const person = await whoIsOverdue()
    await moveClock(held.server, 17 * DAY)
    await eventually(person).toMatchObject({ status: 'canceled', screens: 'checkout' })
    expect(await tryAll(person)).toEqual({ trpc: ENDED, rest: ENDED, reads: [200, 200, 200, 200] })
    const { url } = await person.trpc.billing.startCheckout.mutate()
    await pay(url)
    await person.trpc.billing.refresh.mutate()
    expect(await tryAll(person)).toMatchObject({ trpc: 'done', rest: 'done' })
  })
})

test('webhooks that come late, again and in the wrong order leave the right state', async () => {
  const person = await onTrial(held.server)
  await inPortal(person, 'cancel')
  await inPortal(person, 'renew')
  await eventually(person).toMatchObject({ status: 'trialing', canceledAt: null })
  const state = await person.trpc.billing.subscription.query()
  // As if none of them had been heard of.
  await held.server.db.system.query('delete from stripe_events')
  const events = await held.server.services.stripe.events.list({ limit: 20 })
  for (const { id } of events.data) await send(`${held.server.url}/__stripe/events/${id}/send`)
  const heard = async () => (await held.server.db.system.query('select from stripe_events')).rowCount
  await expect.poll(heard).toBe(events.data.length)
  expect(await person.trpc.billing.subscription.query()).toEqual(state)
})

function wordsOf(error: { message: string; data: { httpStatus: number } }): string {
  return `${error.data.httpStatus} ${error.message}`
}
