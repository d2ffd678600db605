import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { ChooseNoticeRule } from '#shared/schemas/notice-rules.ts'
import { ListIncompleteNotices } from '#shared/schemas/notices.ts'
import type { RequestContext } from '#server/context.ts'
import { endContract } from '#server/contracts/renewals.service.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { chooseNoticeRule, noticeWindowOfContract } from '#server/notice-rules/notice-choices.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { listIncompleteNotices } from './incomplete-notices.service.ts'

const world = useWorld()
const server = useApp(world)

const list = (request: RequestContext, input: object = {}) =>
  listIncompleteNotices(
    { ...requireReader(request), today: toDay('2026-03-10') },
    ListIncompleteNotices.parse({ limit: 100, ...input }),
  )
const idsOf = ({ rows }: { rows: { contractId: number }[] }) => rows.map(({ contractId }) => contractId)

test('contracts of which it cannot be computed when notice is due are listed, with what is missing', async () => {
  const { request, id } = await aNoticedContract(world, {
    law: 'new_york_services',
    contract: { title: 'Ovens' },
  })
  const dearer = UpdateContract.parse({ id, nextAmount: 1300 })
  await asSubscriber(request, (ctx) => updateContract(ctx, dearer))
  expect(await list(request)).toMatchObject({
    total: 1,
    amount: 1300,
    more: false,
    rows: [
      {
        contractId: id,
        customerName: 'Harbor',
        title: 'Ovens',
        renewalDate: '2026-04-05',
        amount: 1300,
        ruleName: 'New York: service, maintenance or repair',
        consequence: 'The renewal cannot be enforced against the customer',
        why: 'no_last_day',
        derivation: 'The days are counted from the last day for notice, and the contract has no notice period',
        remedy: 'Add its notice period',
      },
    ],
  })
  expect(await noticeWindowOfContract(requireReader(request), { id })).toMatchObject({
    window: null,
    why: 'no_last_day',
    remedy: 'Add its notice period',
  })
  const filled = UpdateContract.parse({ id, noticePeriod: '10 days' })
  await asSubscriber(request, (ctx) => updateContract(ctx, filled))
  expect(await list(request)).toMatchObject({ rows: [], total: 0, amount: 0 })
  expect(await noticeWindowOfContract(requireReader(request), { id })).toMatchObject({ why: null, remedy: null })
})

test('contracts are not among them of which no notice is due, by the law, the contract, or what was chosen', async () => {
  const { request, id, customerId } = await aNoticedContract(world, { law: 'new_york_services' })
  const terms = {
    customerId,
    renews: 'automatic',
    renewalCycle: 'yearly',
    amount: 10,
    renewalDate: '2026-05-05',
  } as const
  const { id: monthly } = await aContract(request, { ...terms, renewalCycle: 'monthly' })
  await aContract(request, { ...terms, renews: 'by_agreement' })
  await aContract(request, { ...terms, status: 'expired' })
  const { id: ending } = await aContract(request, terms)
  await asSubscriber(request, (ctx) => endContract(ctx, { id: ending, reason: 'Price', note: null }))
  const { id: excepted } = await aContract(request, terms)
  const none = ChooseNoticeRule.parse({ contractId: excepted, rule: 'none' })
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, none))
  expect(idsOf(await list(request))).toEqual([id])
  expect(await noticeWindowOfContract(requireReader(request), { id: monthly })).toMatchObject({
    why: 'monthly',
    remedy: null,
  })
})

test('by a rule that is counted from the renewal date nothing is missing, and other accounts have their own', async () => {
  const { request } = await aNoticedContract(world)
  expect(await list(request)).toMatchObject({ rows: [], total: 0, amount: 0 })
  await aNoticedContract(world, { law: 'new_york_leases' })
  expect(await list(request)).toMatchObject({ total: 0 })
  expect(await list(await anAccount(world))).toMatchObject({ total: 0 })
})

test('the list is read page by page, on and back, and by REST as in the app', async () => {
  const { request, id, customerId } = await aNoticedContract(world, { law: 'wisconsin_business' })
  const ids = [id]
  for (const renewalDate of ['2026-06-01', '2026-05-01', '2026-06-01', '2026-06-01', '2026-07-01']) {
    const made = await aContract(request, { customerId, renews: 'automatic', renewalCycle: 'yearly', renewalDate })
    ids.push(made.id)
  }
  const [first, june, may, june2, june3, july] = ids
  const order = [first, may, june, june2, june3, july]
  expect(idsOf(await list(request))).toEqual(order)
  const two = await list(request, { limit: 2 })
  expect(two).toMatchObject({ more: true, total: 6 })
  const four = await list(request, { limit: 2, after: two.last })
  expect([...idsOf(two), ...idsOf(four)]).toEqual(order.slice(0, 4))
  expect(idsOf(await list(request, { limit: 2, before: four.first }))).toEqual(idsOf(two))
  const headers = bearer(request)
  const answer = await server.app.inject({ url: '/notices/incomplete?limit=4', headers })
  expect(answer.json()).toMatchObject({ total: 6 })
  expect(idsOf(answer.json())).toEqual(order.slice(0, 4))
  const next = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link']))?.[1] ?? ''
  const rest = await call(server, { url: next, headers })
  expect(idsOf(rest.body)).toEqual(order.slice(4))
  const cursor = two.last ?? ''
  expect(await call(server, { url: `/notices?show=due&cursor=${cursor}`, headers })).toMatchObject({
    status: 400,
    body: { refusal: 'CURSOR_INVALID' },
  })
})

test('a letter of such a contract is refused with what is missing', async () => {
  const { request, id } = await aNoticedContract(world, { law: 'new_york_services' })
  const url = `/contracts/${id}/notice-letter`
  expect(await call(server, { url, headers: bearer(request) })).toMatchObject({
    status: 409,
    body: {
      refusal: 'NOTICE_WINDOW_NOT_COMPUTED',
      error:
        "The contract's notice window cannot be computed: The days are counted from the last day for notice, and the contract has no notice period. Add its notice period",
    },
  })
})
