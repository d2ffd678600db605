import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { MessageKey } from '#shared/schemas/reminders.ts'
import { createContract, updateContract } from '#server/contracts/contracts.service.ts'
import { endContract, reopenContract } from '#server/contracts/renewals.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { useReminderDays } from '#support/reminder-days.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { announceMail } from './announced-mail.service.ts'
import { contractReminders, muteContract } from './contract-reminders.service.ts'
import { sendReminder } from './manual-reminders.service.ts'
import { snoozeReminder } from './outbox-actions.service.ts'

const world = useWorld()
const days = useReminderDays(world)

async function aCompany() {
  const mailbox = aMailbox()
  const request = await anAccount(world, { services: { mailer: mailbox.mailer, now: days.now } })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  return {
    ...mailbox,
    request,
    customerId,
    planned: (renewalDate: string, status: 'active' | 'cancelled' = 'active') =>
      announceMail(requireReader(request), { customerId, renewalDate: toDay(renewalDate), status }),
    pass: (count: number) => days.pass(request, count),
    passOn: (count: number) => days.passOn(request, count),
  }
}

const toCustomer = (received: { to: string[] }[]) => received.filter(({ to }) => to.includes('orders@harbor.test'))

describe('what a contract would send is said beforehand', () => {
  test.each([
    ['2026-03-24', 'active', 6, '2026-03-10'],
    ['2026-03-08', 'active', 2, '2026-03-11'],
    ['2027-03-10', 'active', 0, null],
    ['2026-03-24', 'cancelled', 0, null],
  ] as const)('of one that renews on %s and is %s: %i, first on %s', async (date, status, count, first) => {
    const { planned } = await aCompany()
    await expect(planned(date, status)).resolves.toMatchObject({ count, first })
  })

  test('and so it comes', async () => {
    const { planned, request, customerId, received, pass } = await aCompany()
    const { count } = await planned('2026-03-08')
    await aContract(request, { customerId, startDate: '2025-03-08', renewalDate: '2026-03-08' })
    await pass(40)
    expect(toCustomer(received)).toHaveLength(count)
  })

  test.each([
    ['that has ended', '2026-03-10'],
    ['that would have ended later', '2026-03-20'],
  ])('of one %s and is opened again, and so it comes', async (_which, on) => {
    const { request, customerId, received, pass } = await aCompany()
    const terms = { customerId, renewalDate: toDay('2026-03-24') }
    const { id } = await aContract(request, { ...terms, startDate: '2025-03-24' })
    await asSubscriber(request, (ctx) => endContract(ctx, { id, reason: 'Price', on: toDay(on) }))
    const reopened = { ...terms, id, status: 'active', endsOn: null } as const
    await expect(announceMail(requireReader(request), reopened)).resolves.toMatchObject({
      count: 6,
      first: '2026-03-10',
    })
    await asSubscriber(request, (ctx) => reopenContract(ctx, { id }))
    await pass(60)
    expect(toCustomer(received)).toHaveLength(6)
  })

  test.each([
    ['that has ended', '2026-03-11'],
    ['that would have ended later', '2026-03-24'],
  ])('of one %s and is opened again some days later, and so it comes', async (_which, on) => {
    const { request, customerId, received, pass, passOn } = await aCompany()
    const terms = { customerId, renewalDate: toDay('2026-03-24') }
    const { id } = await aContract(request, { ...terms, startDate: '2025-03-24' })
    await pass(1)
    const before = toCustomer(received).length
    await asSubscriber(request, (ctx) => endContract(ctx, { id, reason: 'Price', on: toDay(on) }))
    await passOn(8)
    expect(toCustomer(received)).toHaveLength(before)
    const reopened = { ...terms, id, status: 'active', endsOn: null } as const
    const { count } = await announceMail(requireReader(request), reopened)
    await asSubscriber(request, (ctx) => reopenContract(ctx, { id }))
    await passOn(60)
    expect({ before, count, sent: toCustomer(received).length - before }).toEqual({ before: 1, count: 4, sent: 4 })
  })

  test('of one with a reminder that was put off, which becomes another customer’s, and so it comes', async () => {
    const { request, customerId, received, pass, passOn } = await aCompany()
    const { id: other } = await aCustomer(request, { name: 'Birch', email: 'birch@birch.test' })
    const { id } = await aContract(request, { customerId, startDate: '2025-04-02', renewalDate: '2026-04-02' })
    await pass(1)
    const { next, renewalDate } = await contractReminders(requireReader(request), { id })
    const key = MessageKey.parse({
      ...next.find(({ recipient }) => recipient === 'customer'),
      contractId: id,
      renewalDate,
    })
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, { ...key, until: toDay('2026-03-20') }))
    const moved = { id, customerId: other, renewalDate, status: 'active' } as const
    await expect(announceMail(requireReader(request), moved)).resolves.toMatchObject({ count: 6, first: '2026-03-20' })
    await asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, customerId: other })))
    await passOn(60)
    expect(received.filter(({ to }) => to.includes('birch@birch.test'))).toHaveLength(6)
  })

  test('of one that is about to end and stays so: nothing', async () => {
    const { request, customerId } = await aCompany()
    const terms = { customerId, renewalDate: toDay('2026-03-24') }
    const { id } = await aContract(request, { ...terms, startDate: '2025-03-24' })
    await asSubscriber(request, (ctx) => endContract(ctx, { id, reason: 'Price', on: toDay('2026-03-20') }))
    const asked = announceMail(requireReader(request), { ...terms, id, status: 'active' })
    await expect(asked).resolves.toEqual({ count: 0, first: null, isAddition: true })
  })

  test('of another account’s customer nothing is said', async () => {
    const { customerId } = await aCompany()
    const stranger = requireReader(await anAccount(world))
    const asked = announceMail(stranger, { customerId, renewalDate: toDay('2026-03-24'), status: 'active' })
    await expect(asked).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
  })
})

describe('a renewal date that customers are not written to about', () => {
  const TERMS = {
    amount: centsFromAmount(100),
    startDate: toDay('2025-03-08'),
    renewalCycle: 'yearly',
    status: 'active',
    title: null,
    reference: null,
    renews: 'by_agreement',
    noticePeriod: null,
  } as const

  async function aMuted() {
    const company = await aCompany()
    const contract = await asSubscriber(company.request, (ctx) =>
      createContract(ctx, {
        ...TERMS,
        tags: [],
        customerId: company.customerId,
        renewalDate: toDay('2026-03-08'),
        reminders: 'off',
      }),
    )
    return { ...company, contract }
  }

  test('sends them nothing, which the ledger explains; its owner is still told', async () => {
    const { request, received, pass } = await aMuted()
    await pass(40)
    expect(toCustomer(received)).toHaveLength(0)
    const rows = await ledgerOf(request)
    expect(rows.filter(({ recipient }) => recipient === 'customer').map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['muted']),
    )
    expect(rows.filter(({ recipient, state }) => recipient === 'owner' && state === 'sent')).not.toHaveLength(0)
  })

  test('is seen on the contract, and can be taken up again', async () => {
    const { request, contract, received, pass } = await aMuted()
    const shown = () => contractReminders(requireReader(request), contract)
    await expect(shown()).resolves.toMatchObject({ isMuted: true, renewalDate: '2026-03-08' })
    await asSubscriber(request, (ctx) => muteContract(ctx, { id: contract.id, reminders: 'on' }))
    await expect(shown()).resolves.toMatchObject({ isMuted: false })
    await pass(10)
    expect(toCustomer(received)).not.toHaveLength(0)
  })

  test('says nothing of the next one', async () => {
    const { request, contract } = await aMuted()
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, renewalDate: toDay('2027-03-08') }))
    await expect(contractReminders(requireReader(request), contract)).resolves.toMatchObject({ isMuted: false })
  })

  test('counts for nothing where the contract is about to be saved with it again', async () => {
    const { request, contract, customerId } = await aMuted()
    const counts = async (renewalDate: string) => {
      const planned = { id: contract.id, customerId, renewalDate: toDay(renewalDate), status: 'pending' } as const
      return (await announceMail(requireReader(request), planned)).count
    }
    await expect(counts('2026-03-08')).resolves.toBe(0)
    await expect(counts('2026-03-24')).resolves.toBe(6)
    await asSubscriber(request, (ctx) => updateContract(ctx, { id: contract.id, renewalDate: toDay('2027-03-08') }))
    await expect(counts('2026-03-08')).resolves.toBe(0)
  })

  test('leaves a reminder by hand as it is', async () => {
    const { request, contract, received } = await aMuted()
    await sendReminder(request, contract)
    expect(toCustomer(received)).toHaveLength(1)
  })
})
