import { expect, test } from 'vitest'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { bounceAll, ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { clearBounce, clearOwnBounce, getBounce, getOwnBounce } from './bounces.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'

const world = useWorld()

/** An account to whose customer a reminder was sent that bounced. */
async function aBounce() {
  const { mailer, received } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  const customer = await aCustomer(request, { email: 'orders@harbor.test' })
  const contract = await aContract(request, { customerId: customer.id })
  await sendReminder(request, contract)
  const run = (text: string) => world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(text))
  await bounceAll(request)
  const bounce = () => getBounce(requireReader(request), customer)
  const clear = () => asSubscriber(request, (ctx) => clearBounce(ctx, customer))
  const another = () => aContract(request, { customerId: customer.id }).then((one) => sendReminder(request, one))
  return { request, customer, received, run, bounce, clear, another }
}

test('an address that works again is written to again, and the ledger keeps what bounced', async () => {
  const { request, bounce, clear, another, received } = await aBounce()
  expect(await bounce()).toEqual({ address: 'orders@harbor.test', bouncedAt: NOON, answer: '550 no such user' })
  await expect(another()).rejects.toMatchObject({ key: 'REMINDER_ADDRESS_BOUNCED' })
  await clear()
  expect(await bounce()).toBeNull()
  await another()
  expect(received).toHaveLength(2)
  expect((await ledgerOf(request)).map(({ state }) => state)).toEqual(['bounced', 'sent'])
})

test('twice changes nothing, and the next that bounces counts again', async () => {
  const { request, run, bounce, clear, another } = await aBounce()
  await clear()
  await run(`update bounced_addresses set cleared_at = '2026-01-01'`)
  await clear()
  expect(await run(`select id from bounced_addresses where cleared_at = '2026-01-01'`)).toHaveLength(1)
  await another()
  await bounceAll(request)
  expect(await bounce()).toMatchObject({ address: 'orders@harbor.test' })
})

test('an address works again for every customer who has it, and no other does', async () => {
  const { request, customer, bounce, clear, run } = await aBounce()
  const same = await aCustomer(request, { email: 'Orders@Harbor.TEST' })
  const other = await aCustomer(request, { email: 'office@mill.test' })
  await run(`insert into bounced_addresses (account_id, address, bounced_at)
    select account_id, 'office@mill.test', now() from reminders`)
  await clear()
  expect(await getBounce(requireReader(request), same)).toBeNull()
  expect(await getBounce(requireReader(request), other)).toMatchObject({ address: 'office@mill.test' })
  await asSubscriber(request, (ctx) => updateCustomer(ctx, { id: customer.id, email: 'office@mill.test' }))
  expect(await bounce()).toMatchObject({ address: 'office@mill.test' })
})

test("somebody else's customer is not found, and what bounced there stays", async () => {
  const { customer, bounce } = await aBounce()
  const stranger = await anAccount(world)
  const notFound = { key: 'CUSTOMER_NOT_FOUND' }
  await aCustomer(stranger, { email: 'orders@harbor.test' })
  await expect(getBounce(requireReader(stranger), customer)).rejects.toMatchObject(notFound)
  await expect(asSubscriber(stranger, (ctx) => clearBounce(ctx, customer))).rejects.toMatchObject(notFound)
  const own = await aCustomer(stranger, { email: 'orders@harbor.test' })
  expect(await getBounce(requireReader(stranger), own)).toBeNull()
  await asSubscriber(stranger, (ctx) => clearBounce(ctx, own))
  expect(await bounce()).not.toBeNull()
})

test("the owner's own address can be said to work again, and nobody else's", async () => {
  const bounced = `insert into bounced_addresses (account_id, address, bounced_at, answer)
    select id, lower(email), '${NOON.toISOString()}', '550 no such user' from accounts where id = ?`
  const owner = await anAccount(world)
  const stranger = await anAccount(world)
  for (const { caller } of [owner, stranger]) {
    await world.db.writeAs(caller?.id ?? 0, (em) => em.execute(bounced, [caller?.id]))
  }
  const own = (request: typeof owner) => getOwnBounce(requireReader(request))
  expect(await own(owner)).toMatchObject({ bouncedAt: NOON, answer: '550 no such user' })
  await asSubscriber(owner, clearOwnBounce)
  await asSubscriber(owner, clearOwnBounce)
  expect(await own(owner)).toBeNull()
  expect(await own(stranger)).not.toBeNull()
})

test("a customer's address that bounced is not the owner's", async () => {
  const { request, bounce } = await aBounce()
  expect(await getOwnBounce(requireReader(request))).toBeNull()
  await asSubscriber(request, clearOwnBounce)
  expect(await bounce()).not.toBeNull()
})
