import { expect, test } from 'vitest'
import { addDays, toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { announceMail } from '#server/reminders/announced-mail.service.ts'
import { MINUTE, useReminded } from '#support/reminded-customers.ts'
import { requireReader } from '#support/world.ts'

const { aReminded, answer } = useReminded()

const DAY = 24 * 60 * MINUTE

/** A contract that renews on March 17, about which its customer has answered. */
async function anAnswered() {
  const reminded = await aReminded()
  const { as, id, link, plan, pass, request, customerId, toCustomer } = reminded
  await answer(link, 'renew')
  await plan()
  const before = toCustomer().length
  return {
    announced: (renewalDate: string) =>
      announceMail(requireReader(request), { id, customerId, renewalDate: toDay(renewalDate), status: 'active' }),
    move: (renewalDate: string) => as((ctx) => updateContract(ctx, UpdateContract.parse({ id, renewalDate }))),
    /** How many emails the customer gets in so many days. */
    gets: async (days: number) => {
      for (let day = 0; day <= days; day += 1) {
        await plan()
        pass(DAY)
      }
      return toCustomer().length - before
    },
  }
}

test('of a contract that is moved after its customer has answered about another date, its emails are announced, and so they come', async () => {
  const { announced, move, gets } = await anAnswered()
  const { count, first } = await announced('2026-03-24')
  await move('2026-03-24')
  expect({ count, first }).toEqual({ count: await gets(30), first: addDays(toDay('2026-03-24'), -14) })
  expect(count).toBeGreaterThan(0)
})

test('of one that is moved back to the date about which its customer has answered, none are announced, and so none come', async () => {
  const { announced, move, gets } = await anAnswered()
  await move('2026-05-24')
  await expect(announced('2026-03-17')).resolves.toMatchObject({ count: 0, first: null })
  await move('2026-03-17')
  await expect(gets(30)).resolves.toBe(0)
})
