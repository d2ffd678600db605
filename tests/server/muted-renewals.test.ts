import { beforeEach, describe, expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { announceImportMail, muteImport } from '#server/reminders/announced-mail.service.ts'
import { contractReminders } from '#server/reminders/contract-reminders.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aMailbox } from '#support/mailbox.ts'
import { useReminderDays } from '#support/reminder-days.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const days = useReminderDays(world)
const { mailer, received } = aMailbox()
const server = useApp(world, { mailer, now: days.now })

const HEAD = 'Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status'
const TERMS = { amount: 100, startDate: '2025-03-01', renewalCycle: 'yearly', status: 'active' }
const CUSTOMER = 'orders@harbor.test'
const PASSED = '2026-03-08'
const NEAR = '2026-03-24'

beforeEach(() => {
  received.length = 0
})

const sentTo = (address: string) => received.filter(({ to }) => to.includes(address)).length
const ownerOf = ({ caller }: RequestContext) => `${caller?.clerkUserId}@example.com`

async function aCompany() {
  const request = await anAccount(world, { services: { mailer, now: days.now } })
  const { id: customerId } = await aCustomer(request, { customerNumber: 'C-1', email: CUSTOMER })
  return { request, customerId }
}

type Company = Awaited<ReturnType<typeof aCompany>>

/** The ways in which a renewal date comes in over REST. Each resolves to the status, the answer and the contract. */
const WAYS = {
  'POST /contracts': async ({ request, customerId }: Company, renewalDate: string, query: string) => {
    const payload = { ...TERMS, customerId, renewalDate }
    const url = `/contracts${query}`
    const answer = await call(server, { method: 'POST', url, headers: bearer(request), payload })
    return { ...answer, id: Number(answer.body.id) }
  },
  'PUT /contracts/{id}': async ({ request, customerId }: Company, renewalDate: string, query: string) => {
    const { id } = await aContract(request, { ...TERMS, customerId, renewalDate: '2027-03-01' })
    const url = `/contracts/${id}${query}`
    return { ...(await call(server, { method: 'PUT', url, headers: bearer(request), payload: { renewalDate } })), id }
  },
  'POST /contracts/bulk-upload': async ({ request }: Company, renewalDate: string, query: string) => {
    const content = `${HEAD}\nC-1,100,2025-03-01,yearly,${renewalDate},active\n`
    const answer = await upload(server, request, { url: `/contracts/bulk-upload${query}`, content })
    const list = await call(server, { url: '/contracts', headers: bearer(request) })
    return { ...answer, id: Number(list.body[0]?.id) }
  },
}

const EACH = [
  ['POST /contracts', PASSED],
  ['POST /contracts', NEAR],
  ['PUT /contracts/{id}', PASSED],
  ['PUT /contracts/{id}', NEAR],
  ['POST /contracts/bulk-upload', PASSED],
  ['POST /contracts/bulk-upload', NEAR],
] as const
const ALL_WAYS = ['POST /contracts', 'PUT /contracts/{id}', 'POST /contracts/bulk-upload'] as const

describe('a renewal date that comes with ?reminders=off', () => {
  test.each(EACH)('%s, %s: the customer is sent nothing about it, the owner is', async (way, date) => {
    const company = await aCompany()
    const { status } = await WAYS[way](company, date, '?reminders=off')
    expect(status).toBeLessThan(300)
    await days.pass(company.request, 24)
    expect(sentTo(CUSTOMER)).toBe(0)
    expect(sentTo(ownerOf(company.request))).toBeGreaterThan(0)
  })

  test.each(EACH)('%s, %s: without it the customer is written to', async (way, date) => {
    const company = await aCompany()
    await WAYS[way](company, date, '')
    await days.pass(company.request, 24)
    expect(sentTo(CUSTOMER)).toBeGreaterThan(0)
  })

  test.each(ALL_WAYS)('%s: about the next one the customer is written to', async (way) => {
    const company = await aCompany()
    const { id } = await WAYS[way](company, PASSED, '?reminders=off')
    const next = { renewalDate: NEAR }
    await call(server, { method: 'PUT', url: `/contracts/${id}`, headers: bearer(company.request), payload: next })
    await days.pass(company.request, 10)
    expect(sentTo(CUSTOMER)).toBeGreaterThan(0)
  })

  test('stops what is already under way, and ?reminders=on takes it up again', async () => {
    const company = await aCompany()
    const { id } = await WAYS['POST /contracts'](company, NEAR, '')
    const say = (reminders: string) =>
      call(server, {
        method: 'PUT',
        url: `/contracts/${id}?reminders=${reminders}`,
        headers: bearer(company.request),
        payload: {},
      })
    await days.pass(company.request, 1)
    expect(sentTo(CUSTOMER)).toBe(1)
    expect(await say('off')).toMatchObject({ status: 200, body: { renewalDate: NEAR } })
    await days.pass(company.request, 8)
    expect(sentTo(CUSTOMER)).toBe(1)
    await say('on')
    await days.pass(company.request, 6)
    expect(sentTo(CUSTOMER)).toBe(3)
  })

  test.each(ALL_WAYS)('%s: another value is refused by name, and nothing is saved', async (way) => {
    const company = await aCompany()
    expect(await WAYS[way](company, NEAR, '?reminders=never')).toMatchObject({
      status: 400,
      body: { fields: { reminders: expect.stringContaining('ust be on or off') } },
    })
    expect(await WAYS[way](company, NEAR, '?reminders=off&reminders=on')).toMatchObject({ status: 400 })
    const list = await call(server, { url: `/contracts`, headers: bearer(company.request) })
    const saved = list.body.filter(({ renewalDate }: { renewalDate: string }) => renewalDate === NEAR)
    expect(saved).toEqual([])
  })
})

describe('what an import will send', () => {
  async function anImport(...dates: string[]) {
    const company = await aCompany()
    const { request } = company
    const rows = dates.map((date) => `C-1,100,2025-03-01,yearly,${date},active\n`)
    const { body } = await upload(server, request, {
      url: '/contracts/bulk-upload',
      content: `${HEAD}\n${rows.join('')}`,
    })
    const id = Number(body.importId)
    await days.begin(request)
    return {
      ...company,
      id,
      announced: () => announceImportMail(requireReader(request), { id }),
      mute: (reminders: 'on' | 'off') => asSubscriber(request, (ctx) => muteImport(ctx, { id, reminders })),
    }
  }

  test('is said beforehand, and so it comes', async () => {
    const { request, announced } = await anImport(PASSED, NEAR, '2026-03-25', '2027-03-01')
    const { count, ...others } = await announced()
    expect(others).toEqual({ first: '2026-03-11', isMuted: false, countedOf: null })
    await days.pass(request, 40)
    expect(sentTo(CUSTOMER)).toBe(count)
    // 13 messages, of which 2 are to one reader on one day.
    expect(count).toBe(12)
  })

  test('is nothing to customers once it is turned off, and the same again once it is turned on', async () => {
    const { request, announced, mute } = await anImport(PASSED, NEAR)
    const before = await announced()
    await mute('off')
    await expect(announced()).resolves.toEqual({ ...before, isMuted: true })
    await days.pass(request, 5)
    expect([sentTo(CUSTOMER), sentTo(ownerOf(request)) > 0]).toEqual([0, true])
    await mute('on')
    await expect(announced()).resolves.toMatchObject({ isMuted: false })
    await days.pass(request, 20)
    expect(sentTo(CUSTOMER)).toBeGreaterThan(0)
  })

  test('of other contracts nothing is turned off', async () => {
    const { request, customerId, mute } = await anImport(NEAR)
    const other = await aContract(request, { ...TERMS, customerId, renewalDate: NEAR })
    await mute('off')
    await expect(contractReminders(requireReader(request), other)).resolves.toMatchObject({ isMuted: false })
  })

  test('is nothing where the import brought customers alone', async () => {
    const { request } = await aCompany()
    const { body } = await upload(server, request, { url: '/customers/bulk-upload', content: 'Name\nHarbor Bakery\n' })
    const announced = announceImportMail(requireReader(request), { id: Number(body.importId) })
    await expect(announced).resolves.toEqual({ count: 0, first: null, isMuted: false, countedOf: null })
  })

  test('is counted over the 5,000 contracts that renew next, and says so where there are more', async () => {
    const { request, customerId, id, announced } = await anImport(NEAR)
    const add = (contracts: number) =>
      world.db.writeAs(request.caller?.id ?? 0, (em) =>
        em.execute(
          `insert into contracts (account_id, import_id, customer_id, amount_cents, start_date, renewal_cycle,
              renewal_date, status)
            select ?, ?, ?, 100, '2025-03-01', 'yearly', '2027-03-01', 'active' from generate_series(1, ?)`,
          [request.caller?.id, id, customerId, contracts],
        ),
      )
    await add(4999)
    await expect(announced()).resolves.toMatchObject({ countedOf: null })
    await add(1)
    await expect(announced()).resolves.toEqual({ count: 5, first: '2026-03-17', isMuted: false, countedOf: 5000 })
  })

  test('another account cannot see or change: it finds no such import', async () => {
    const { id, announced } = await anImport(NEAR)
    const stranger = await anAccount(world)
    const refused = expect.objectContaining({ key: 'IMPORT_NOT_FOUND' })
    await expect(announceImportMail(requireReader(stranger), { id })).rejects.toEqual(refused)
    await expect(asSubscriber(stranger, (ctx) => muteImport(ctx, { id, reminders: 'off' }))).rejects.toEqual(refused)
    await expect(announced()).resolves.toMatchObject({ isMuted: false })
  })
})
