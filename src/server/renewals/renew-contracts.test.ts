import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import Fastify from 'fastify'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import { requireReader, type JobContext, type RequestContext } from '#server/context.ts'
import { getContract, updateContract } from '#server/contracts/contracts.service.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, renewContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { listTerms } from '#server/contracts/terms.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { notificationsOf } from '#support/notifications.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, useWorld } from '#support/world.ts'
import { comingConfirmations } from './coming-confirmations.service.ts'
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
    undo: (decision?: number) => asSubscriber(request, (ctx) => undoDecision(ctx, { id, decision })),
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
    const messages = (await notificationsOf(request)).map(({ message }) => message)
    expect(messages).toEqual(['Today 1,200 renewed automatically, 1 expired.'])
  })
})

describe('an end that was decided', () => {
  test('is carried out on its day, and undoing it opens the contract again', async () => {
    const { run, services, clock } = aNight()
    clock.now = new Date('2026-03-10T12:00:00Z')
    const request = await anAccount(world, { services })
    const { id, get, terms, undo } = await aContractIn(request)
    const end = { id, reason: 'Price', on: (await get()).renewalDate }
    const { decision } = await asSubscriber(request, (ctx) => endContract(ctx, end))
    await run()
    expect(await get()).toMatchObject({ status: 'active', endsOn: '2026-04-01' })
    clock.now = new Date('2026-04-01T06:00:00Z')
    await run()
    expect(await get()).toMatchObject({ status: 'cancelled', endsOn: '2026-04-01', term: 1 })
    expect(await terms()).toMatchObject([{ outcome: 'ended', reason: 'Price', decidedBy: 'person' }])
    expect(await notificationsOf(request)).toMatchObject([{ message: expect.stringContaining('as you decided') }])
    // Still the same decision: a toast from before that night takes it back, too.
    expect(await undo(decision)).toMatchObject({ status: 'active', endsOn: null })
  })
})

describe('overdue contracts that renew by agreement', () => {
  test('end after as many days as the account says', async () => {
    const { run, services, clock } = aNight()
    const request = await anAccount(world, { services })
    const { get, undo } = await aContractIn(request, { renews: 'by_agreement' })
    const settings = SaveRenewalSettings.parse({ endOverdueAfterDays: 30, endReasons: ['Price'] })
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

describe('telling customers of renewals', () => {
  /** An account that tells its customers, with a contract of Harbor, which renews on April 1. */
  async function aTellingAccount(begin?: string, changes: Parameters<typeof aContract>[1] = {}) {
    const night = aNight(begin)
    const mailbox = aMailbox()
    const services = { ...night.services, mailer: mailbox.mailer }
    const request = await anAccount(world, { services })
    const settings = { confirmRenewals: true, endOverdueAfterDays: null, endReasons: ['Price'] }
    await asSubscriber(request, (ctx) => saveRenewalSettings(ctx, settings))
    const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test' })
    const contract = await aContractIn(request, { customerId, ...changes })
    const job = {
      db: world.db,
      services: fakeServices(services),
      log: Fastify().log,
      signal: new AbortController().signal,
    }
    return {
      ...night,
      ...contract,
      request,
      customerId,
      received: mailbox.received,
      send: (at: string) => {
        night.clock.now = new Date(at)
        return sendReminders(job)
      },
      plan: () => planReminders(job),
      confirmations: async () => (await ledgerOf(request)).filter(({ kind }) => kind === 'confirmation'),
    }
  }

  test('happens at the hour of the account, once, and the owner knows it from the night on', async () => {
    const { run, send, received, request, confirmations } = await aTellingAccount()
    await Promise.all([run(), run()])
    await run()
    const [notice] = await notificationsOf(request)
    expect(notice?.message).toContain('It now renews on May 1, 2026. The customer gets an email about it today.')
    expect(await confirmations()).toMatchObject([{ state: 'planned', renewalDate: '2026-05-01', dueOn: '2026-04-01' }])
    await send('2026-04-01T07:59:00Z')
    expect(received).toEqual([])
    await Promise.all([send('2026-04-01T08:00:00Z'), send('2026-04-01T08:00:00Z')])
    expect(received.map(({ to, subject }) => [to, subject])).toEqual([
      [['orders@harbor.test'], 'Your contract has been renewed until May 1, 2026'],
    ])
  })

  test('says of terms that were made up what the last one cost before', async () => {
    const { run, send, received, id, request } = await aTellingAccount('2026-06-02T09:00:00Z')
    const change = UpdateContract.parse({ id, nextAmount: 130 })
    await asSubscriber(request, (ctx) => updateContract(ctx, change))
    await run()
    await send('2026-06-02T09:00:00Z')
    expect(received).toHaveLength(1)
    expect(received[0]?.text).toContain(
      'The new term runs from June 1, 2026 until July 1, 2026 and costs $130.00 (monthly).\n\nPreviously, the amount was $100.00.',
    )
  })

  test('does not happen where the date was missed by more than a day, or the contract came in after it', async () => {
    const late = await aTellingAccount('2026-04-03T09:00:00Z')
    await late.run()
    expect(await late.confirmations()).toEqual([])
    const imported = await aTellingAccount('2026-04-02T09:00:00Z')
    await world.db.writeAs(imported.request.caller?.id ?? 0, async (em) => {
      await em.execute(`update contracts set reminders_since = '2026-04-03'`)
    })
    await imported.run()
    expect(await imported.confirmations()).toEqual([])
    expect((await notificationsOf(imported.request))[0]?.message).not.toContain('email')
  })

  test('happens on the day after the contract was imported', async () => {
    const { run, request, confirmations } = await aTellingAccount('2026-04-01T09:00:00Z')
    await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
      await em.execute(`update contracts set reminders_since = '2026-04-01T15:00Z'`)
    })
    await run()
    expect(await confirmations()).toHaveLength(1)
  })

  test('is withdrawn with the renewal before the hour', async () => {
    const { run, undo, send, received, confirmations } = await aTellingAccount()
    await run()
    await undo()
    await send('2026-04-01T08:00:00Z')
    expect(received).toEqual([])
    expect(await confirmations()).toEqual([])
  })

  test('is one email with the reminder of another contract, and replaces one about the same', async () => {
    const { run, plan, send, received, request, customerId, clock } = await aTellingAccount()
    await aContract(request, { customerId, renewalDate: '2026-04-15', amount: 70 })
    await world.db.writeAs(request.caller?.id ?? 0, async (em) => {
      await em.execute(`update contracts set reminders_since = '2026-01-01'`)
      await em.execute(`update reminder_schedules set planned_through = '2026-03-31', next_plan_at = '2026-04-01'`)
    })
    await run()
    clock.now = new Date('2026-04-01T08:00:00Z')
    await plan()
    await send('2026-04-01T08:00:00Z')
    const mails = received.filter(({ to }) => to.includes('orders@harbor.test'))
    expect(mails.map(({ subject }) => subject)).toEqual([
      '2 contracts with Alder Supplies were renewed or need attention',
    ])
    const rows = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
    expect(rows.map(({ kind, offset, reason }) => [kind, offset, reason])).toEqual([
      ['confirmation', 0, null],
      ['reminder', 30, 'confirmed'],
      ['reminder', 14, null],
    ])
  })

  test('does not happen where nobody can be reached, and the owner is not told that it does', async () => {
    const { run, request, confirmations, customerId } = await aTellingAccount()
    await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customerId, sendNotifications: false }))
    await run()
    expect((await notificationsOf(request))[0]?.message).not.toContain('email')
    expect(await confirmations()).toMatchObject([{ state: 'skipped', reason: 'opted_out' }])
  })

  test('is counted where many renew', async () => {
    const { run, request, customerId, confirmations } = await aTellingAccount()
    for (let n = 0; n < 6; n += 1)
      await aContract(request, { customerId, renewalDate: '2026-04-01', renews: n < 5 ? 'automatic' : 'never' })
    await run()
    expect(await notificationsOf(request)).toMatchObject([
      { message: 'Today 6 renewed automatically, 1 expired. The customers of 6 of them get an email.' },
    ])
    expect(await confirmations()).toHaveLength(6)
  })

  test('that is turned on says beforehand whom it would write to', async () => {
    const { request, customerId, clock } = await aTellingAccount('2026-03-10T12:00:00Z')
    await aContract(request, { customerId, renewalDate: '2026-04-01', renews: 'automatic' })
    await aContract(request, { renewalDate: '2026-04-02', renews: 'automatic' })
    await aContract(request, { customerId, renewalDate: '2026-04-02' })
    await aContract(request, { customerId, renewalDate: '2026-05-20', renews: 'automatic' })
    const first = { customerName: 'Harbor', day: '2026-04-01' }
    expect(await comingConfirmations(requireReader(request))).toMatchObject({
      contracts: 3,
      told: 2,
      emails: 1,
      first: [first, first],
      onlyFirst: null,
    })
    clock.now = new Date('2026-05-01T12:00:00Z')
    expect(await comingConfirmations(requireReader(await anAccount(world)))).toMatchObject({ contracts: 0, first: [] })
  })
})
