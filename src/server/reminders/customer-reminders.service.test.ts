import { expect, test } from 'vitest'
import { requireReader } from '#server/context.ts'
import { aMailbox } from '#support/mailbox.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'
import { contractReminders } from './contract-reminders.service.ts'
import { customerReminders } from './customer-reminders.service.ts'
import { planReminder, sendReminder } from './manual-reminders.service.ts'

const world = useWorld()

/** A customer with a contract that renews in 20 days, and one in 40, today being March 10. */
async function aCustomerWithContracts() {
  const now = () => new Date('2026-03-10T12:00:00Z')
  const services = { mailer: aMailbox().mailer, now, billingNow: now }
  const request = await anAccount(world, { services })
  const { id } = await aCustomer(request, { name: 'Harbor', email: 'orders@harbor.test' })
  const contractOf = (renewalDate: string, customerId = id) =>
    aContract(request, { customerId, startDate: '2026-01-01', renewalDate })
  const soon = await contractOf('2026-03-30')
  const later = await contractOf('2026-04-19')
  const { id: otherId } = await aCustomer(request, { name: 'Other', email: 'orders@other.test' })
  await contractOf('2026-04-01', otherId)
  const messages = () => customerReminders(requireReader(request), { id })
  return { request, id, soon, later, messages }
}

test("what is planned is of all of a customer's contracts, by day, and of nobody else's", async () => {
  const { messages, soon, later } = await aCustomerWithContracts()
  const { next, history, ...today } = await messages()
  const toCustomer = next.filter(({ recipient, kind }) => recipient === 'customer' && kind === 'reminder')
  expect(toCustomer.map(({ contractId, day }) => [contractId, day])).toEqual([
    [soon.id, '2026-03-16'],
    [later.id, '2026-03-20'],
    [soon.id, '2026-03-23'],
    [soon.id, '2026-03-29'],
    [later.id, '2026-04-05'],
    [later.id, '2026-04-12'],
    [later.id, '2026-04-18'],
  ])
  expect(next.every(({ customerName }) => customerName === 'Harbor')).toBe(true)
  expect(history).toEqual([])
  expect(today).toEqual({ remindedToday: [], plannedReminders: [] })
})

test('what was sent by hand, and what is on its way, is known of each contract', async () => {
  const { request, messages, soon, later } = await aCustomerWithContracts()
  await sendReminder(request, { id: soon.id })
  const goesOutAt = new Date('2026-03-10T12:00:10Z')
  await planReminder(request, { id: later.id })
  const { history, ...known } = await messages()
  expect(known).toMatchObject({
    remindedToday: [soon.id],
    plannedReminders: [{ contractId: later.id, goesOutAt }],
  })
  expect(history.map(({ contractId, kind, state }) => [contractId, kind, state])).toEqual([
    [later.id, 'manual', 'planned'],
    [soon.id, 'manual', 'sent'],
  ])
  const ofContract = ({ id }: { id: number }) => contractReminders(requireReader(request), { id })
  expect(await ofContract(soon)).toMatchObject({ isRemindedToday: true, goesOutAt: null })
  expect(await ofContract(later)).toMatchObject({ isRemindedToday: false, goesOutAt })
})

test("somebody else's customer is not found", async () => {
  const { id } = await aCustomerWithContracts()
  const stranger = requireReader(await anAccount(world))
  await expect(customerReminders(stranger, { id })).rejects.toMatchObject({ key: 'CUSTOMER_NOT_FOUND' })
})
