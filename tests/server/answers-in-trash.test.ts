import { describe, expect, test } from 'vitest'
import { AcceptAnswer, DeclineAnswer } from '#shared/schemas/answers.ts'
import { appRouter } from '#server/routers/index.ts'
import { removeContract } from '#server/contracts/contracts.service.ts'
import { removeCustomer } from '#server/customers/customers.service.ts'
import { acceptAnswer, declineAnswer } from '#server/customer-answers/answers.service.ts'
import { removeContractForGood, removeCustomerForGood, restoreFromTrash } from '#server/trash/trash.service.ts'
import { bearer, call } from '#support/app.ts'
import { useReminded, type Reminded } from '#support/reminded-customers.ts'

const { server, aReminded, answer } = useReminded()

const LISTS = [{}, { show: 'waiting' }, { show: 'answered' }] as const

/** What both transports list, by list. */
async function listed({ request }: Reminded) {
  const trpc = appRouter.createCaller(request)
  const lists = await Promise.all(
    LISTS.map(async (filter) => {
      const url = `/answers?${new URLSearchParams(filter).toString()}`
      const { body, headers } = await call(server, { url, headers: bearer(request) })
      const { rows, total } = await trpc.answers.list(filter)
      expect(body).toEqual(JSON.parse(JSON.stringify(rows)))
      expect([total, headers['x-total-count']]).toEqual([rows.length, String(rows.length)])
      return rows
    }),
  )
  const [all = [], waiting = [], answered = []] = lists
  const { count } = await trpc.answers.waiting()
  expect(count).toBe(waiting.length)
  return { all, waiting, answered }
}

async function certificate({ request }: Reminded, id: number) {
  return (await server.app.inject({ url: `/answers/${id}/certificate`, headers: bearer(request) })).statusCode
}

describe('an answer about a contract in the trash', () => {
  test('does not wait, cannot be decided about, and waits again once the contract is restored', async () => {
    const reminded = await aReminded()
    const { link, as, id, newest, contract } = reminded
    await answer(link, 'change', { words: 'Less, please' })
    const answerId = await newest()
    await as((ctx) => removeContract(ctx, { id }))
    expect(await listed(reminded)).toEqual({ all: [], waiting: [], answered: [] })
    const decline = () => as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id: answerId })))
    const accept = () => as((ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id: answerId })))
    for (const act of [decline, accept]) await expect(act()).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    expect(await certificate(reminded, answerId)).toBe(200)
    await as((ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
    const { waiting } = await listed(reminded)
    expect(waiting).toMatchObject([{ id: answerId, state: 'waiting', isOvertaken: false, words: 'Less, please' }])
    await accept()
    expect(await contract()).toMatchObject({ term: 2 })
  })

  test('that has been decided about stays among those that are done', async () => {
    const reminded = await aReminded()
    const { link, as, id, newest } = reminded
    await answer(link, 'renew')
    const answerId = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id: answerId })))
    await as((ctx) => removeContract(ctx, { id }))
    expect(await listed(reminded)).toMatchObject({ waiting: [], answered: [{ id: answerId, state: 'declined' }] })
  })
})

describe('an answer about a contract that was deleted for good', () => {
  test.each([
    ['alone', ({ id }: Reminded) => [(ctx) => removeContractForGood(ctx, { id })]],
    [
      'with its customer',
      ({ customerId: id }: Reminded) => [
        (ctx) => removeCustomer(ctx, { id }),
        (ctx) => removeCustomerForGood(ctx, { id }),
      ],
    ],
  ] satisfies [string, (reminded: Reminded) => Parameters<Reminded['as']>[0][]][])(
    '%s no longer waits, is overtaken, and is mailed to nobody',
    async (_how, acts) => {
      const reminded = await aReminded()
      const { link, as, id, newest, send, received } = reminded
      await answer(link, 'renew')
      await send()
      const answerId = await newest()
      await as((ctx) => removeContract(ctx, { id }))
      for (const act of acts(reminded)) await as<unknown>(act)
      const { all, waiting, answered } = await listed(reminded)
      expect(waiting).toEqual([])
      expect(answered).toMatchObject([{ id: answerId, state: 'overtaken', isOvertaken: false, contractId: null }])
      expect(all).toEqual(answered)
      const mails = received.length
      const decline = as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id: answerId })))
      await expect(decline).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
      await send()
      expect(received).toHaveLength(mails)
      expect(await certificate(reminded, answerId)).toBe(200)
    },
  )
})
