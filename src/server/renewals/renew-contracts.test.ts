import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import Fastify from 'fastify'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { RenewalSettings } from '#shared/schemas/renewals.ts'
import { requireReader, type JobContext, type RequestContext } from '#server/context.ts'
import { getContract, updateContract } from '#server/contracts/contracts.service.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, renewContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { notificationsOf } from '#support/notifications.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { renewContracts } from './renew-contracts.ts'

const world = useWorld()

/** A clock, and the job that looks at it. */
function aNight(begin = '2026-04-01T00:00:30Z') {
  const clock = { now: new Date(begin) }
  const services = { now: () => clock.now, billingNow: () => clock.now }
  const faults: unknown[] = []
  const ctx: JobContext = {
    db: world.db.as('job:renew-contracts'),
    services: fakeServices(services),
    log: { ...Fastify().log, error: (fault: unknown) => void faults.push(fault) },
    signal: new AbortController().signal,
  }
  const run = async () => {
    await renewContracts(ctx)
    expect(faults).toEqual([])
  }
  return { clock, services, run }
}

/** A contract that renews on April 1. */
async function aContractIn(request: RequestContext, changes: Parameters<typeof aContract>[1] = {}) {
  const customer = await aCustomer(request, { name: 'Harbor' })
  const contract = { customerId: customer.id, renewalDate: '2026-04-01', renews: 'automatic' as const, ...changes }
  const { id } = await aContract(request, contract)
  return {
    id,
    get: () => getContract(requireReader(request), { id }),
    terms: () => listTerms(requireReader(request), { id }),
    undo: () => asSubscriber(request, (ctx) => undoDecision(ctx, { id })),
  }
}

describe('on the renewal date', () => {
  test('a contract renews automatically, once, and its owner is told', async () => {
    const { run, services } = aNight()
    const request = await anAccount(world, { services })
    const { get, terms, id } = await aContractIn(request)
    await run()
    await run()
    expect(await get()).toMatchObject({ term: 2, renewalDate: '2026-05-01', status: 'active' })
    expect(await terms()).toMatchObject([{ outcome: 'running' }, { outcome: 'renewed', decidedBy: 'job' }])
    expect(await notificationsOf(request)).toMatchObject([
      {
        title: 'Harbor was renewed',
        message: 'The monthly contract with Harbor ($100.00) renewed automatically. It now renews on May 1, 2026.',
        actionUrl: `/contracts?open=${id}`,
      },
    ])
  })

  test('runs at once, as of two workers, renew it once', async () => {
    const { run, services } = aNight()
    const request = await anAccount(world, { services })
    const { get, terms } = await aContractIn(request)
    await Promise.all([run(), run(), run()])
    expect(await get()).toMatchObject({ term: 2 })
    expect(await terms()).toHaveLength(2)
    expect(await notificationsOf(request)).toHaveLength(1)
  })

  test('begins at midnight in the time zone of the account', async () => {
    const { run, services, clock } = aNight('2026-03-31T10:59:00Z')
    const request = await anAccount(world, { services, timeZone: 'Pacific/Auckland' })
    const { get } = await aContractIn(request)
    await run()
    expect(await get()).toMatchObject({ term: 1 })
    clock.now = new Date('2026-03-31T11:00:30Z')
    await run()
    expect(await get()).toMatchObject({ term: 2 })
  })

  test('a contract that never renews expires, and one by agreement stays overdue', async () => {
    const { run, services, clock } = aNight()
    const request = await anAccount(world, { services })
    const [never, byAgreement] = [
      await aContractIn(request, { renews: 'never' }),
      await aContractIn(request, { renews: 'by_agreement' }),
    ]
    clock.now = new Date('2026-06-01T12:00:00Z')
    await run()
    expect(await never.get()).toMatchObject({ status: 'expired', endsOn: '2026-04-01' })
    expect(await byAgreement.get()).toMatchObject({ status: 'active', term: 1 })
    expect(await notificationsOf(request)).toMatchObject([{ title: 'The contract with Harbor expired' }])
  })

  test('nothing happens to pending contracts, nor without an active subscription', async () => {
    const { run, services } = aNight()
    const lapsed = await anAccount(world, { services })
    const first = await aContractIn(lapsed)
    await world.db.system.query(`update subscriptions set status = 'canceled'`)
    const request = await anAccount(world, { services })
    const second = await aContractIn(request, { status: 'pending' })
    await run()
    expect(await second.get()).toMatchObject({ term: 1 })
    await world.db.system.query(`update subscriptions set status = 'active'`)
    expect(await first.get()).toMatchObject({ term: 1 })
    await run()
    expect(await first.get()).toMatchObject({ term: 2 })
  })

  test('missed terms are made up with one notification', async () => {
    const { run, services, clock } = aNight()
    const request = await anAccount(world, { services })
    const { get, terms } = await aContractIn(request)
    clock.now = new Date('2026-07-15T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ term: 5, renewalDate: '2026-08-01' })
    expect(await terms()).toHaveLength(5)
    expect(await notificationsOf(request)).toMatchObject([{ message: expect.stringContaining('for 4 terms') }])
  })

  test('many at once make one notification, and all are carried out', async () => {
    const { run, services } = aNight()
    const request = await anAccount(world, { services })
    const { id } = await aContractIn(request, { renews: 'never' })
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(
        `insert into contracts (account_id, customer_id, amount_cents, start_date, renewal_cycle, renewal_date, status, renews)
        select account_id, customer_id, 100, start_date, 'monthly', renewal_date, 'active', 'automatic'
        from contracts, generate_series(1, 1200) where id = ?`,
        [id],
      ),
    )
    await run()
    const left = await world.db.readAs(request.caller?.id ?? 0)(
      sql`select id from contracts where status = 'active' and renewal_date <= '2026-04-01'`,
    )
    expect(left).toEqual([])
    const titles = (await notificationsOf(request)).map(({ message }) => message)
    expect(titles).toHaveLength(3)
    expect(titles).toContain('Today 499 renewed automatically, 1 expired.')
  })
})

describe('an end that was decided', () => {
  test('is carried out on its day, and undoing it opens the contract again', async () => {
    const { run, services, clock } = aNight()
    clock.now = new Date('2026-03-10T12:00:00Z')
    const request = await anAccount(world, { services })
    const { id, get, terms, undo } = await aContractIn(request)
    const end = { id, reason: 'Price', on: (await get()).renewalDate }
    await asSubscriber(request, (ctx) => endContract(ctx, end))
    await run()
    expect(await get()).toMatchObject({ status: 'active', endsOn: '2026-04-01' })
    clock.now = new Date('2026-04-01T06:00:00Z')
    await run()
    expect(await get()).toMatchObject({ status: 'cancelled', endsOn: '2026-04-01', term: 1 })
    expect(await terms()).toMatchObject([{ outcome: 'ended', reason: 'Price', decidedBy: 'person' }])
    expect(await notificationsOf(request)).toMatchObject([{ message: expect.stringContaining('as you decided') }])
    expect(await undo()).toMatchObject({ status: 'active', endsOn: null })
  })
})

describe('overdue contracts that renew by agreement', () => {
  test('end after as many days as the account says', async () => {
    const { run, services, clock } = aNight()
    const request = await anAccount(world, { services })
    const { get, undo } = await aContractIn(request, { renews: 'by_agreement' })
    const settings = RenewalSettings.parse({ endOverdueAfterDays: 30, endReasons: ['Price'] })
    await asSubscriber(request, (ctx) => saveRenewalSettings(ctx, settings))
    clock.now = new Date('2026-04-30T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ status: 'active' })
    clock.now = new Date('2026-05-01T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ status: 'cancelled', endsOn: '2026-05-01' })
    expect(await notificationsOf(request)).toMatchObject([{ message: expect.stringContaining('overdue') }])
    await undo()
    clock.now = new Date('2026-05-02T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ status: 'active' })
  })
})

describe('what was undone', () => {
  test('does not happen again by itself, until the contract is renewed', async () => {
    const { run, services, clock } = aNight()
    const request = await anAccount(world, { services })
    const { id, get, undo } = await aContractIn(request)
    await run()
    expect(await undo()).toMatchObject({ term: 1, renewalDate: '2026-04-01' })
    clock.now = new Date('2026-04-20T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ term: 1, renewalDate: '2026-04-01' })
    await asSubscriber(request, (ctx) => renewContract(ctx, { id }))
    clock.now = new Date('2026-05-01T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ term: 3, renewalDate: '2026-06-01' })
  })

  test('happens again once its owner chooses another date', async () => {
    const { run, services, clock } = aNight()
    const request = await anAccount(world, { services })
    const { id, get, undo } = await aContractIn(request)
    await run()
    await undo()
    const edit = UpdateContract.parse({ id, renewalDate: '2026-04-10' })
    await asSubscriber(request, (ctx) => updateContract(ctx, edit))
    clock.now = new Date('2026-04-10T12:00:00Z')
    await run()
    expect(await get()).toMatchObject({ term: 2 })
  })
})
