import { describe, expect, test } from 'vitest'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { endContract, renewContract } from '#server/contracts/renewals.service.ts'
import { saveAnswerSettings } from '#server/customer-answers/answer-settings.service.ts'
import { revokeLinks } from '#server/customer-answers/answers.service.ts'
import { LINK, PAGE } from '#support/answering.ts'
import { MINUTE, useReminded } from '#support/reminded-customers.ts'
import type { asSubscriber } from '#support/world.ts'
import { aContract, aCustomer, COMPANY } from '#support/world.ts'

const { server, aReminded, open, answer, post } = useReminded()

describe('a reminder', () => {
  test('has the link in its text and as a button, and keeps it from the owner', async () => {
    const { link, toCustomer, rows } = await aReminded()
    expect(link).toMatch(/^\/answer\/\d+\.a\d+\.[\w-]{43}$/)
    expect(toCustomer()[0]?.html).toContain(`href="http://localhost:3000${link}"`)
    const [row] = (await rows()).filter(({ recipient }) => recipient === 'customer')
    expect(row?.body).toContain('Answer online: (a link that only the reader has)')
    expect(JSON.stringify(await rows())).not.toContain('/answer/')
  })

  test('has the same link each time while the offer is the same, and another once it has changed', async () => {
    const { link, pass, plan, toCustomer, as, id } = await aReminded()
    pass(8 * 24 * 60 * MINUTE)
    await plan()
    expect(toCustomer()).toHaveLength(2)
    expect(toCustomer()[1]?.text).toContain(link)
    await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, amount: 1300 })))
    pass(2 * 24 * 60 * MINUTE)
    await plan()
    expect(toCustomer()).toHaveLength(3)
    expect(toCustomer()[2]?.text).toMatch(LINK)
    expect(toCustomer()[2]?.text).not.toContain(link)
  })

  test('has no link where answers are turned off, for the account or the contract', async () => {
    expect((await aReminded({}, { hasLink: false })).toCustomer()[0]?.text).not.toMatch(LINK)
  })

  test('about several contracts has a link for each', async () => {
    const { customerId, request, toCustomer, plan, pass } = await aReminded({ renewalDate: '2026-04-01' })
    const more = { customerId, amount: 10, renewalDate: '2026-04-01' } as const
    await aContract(request, { ...more, title: 'Backups' })
    pass(15 * 24 * 60 * MINUTE)
    await plan()
    const text = toCustomer().at(-1)?.text ?? ''
    expect(text.match(/Answer online: (Web hosting|Backups): http:\S+\/answer\/\S+/g)).toHaveLength(2)
  })
})

type Act = (ctx: Parameters<Parameters<typeof asSubscriber>[1]>[0], id: number) => Promise<unknown>

describe('the page', () => {
  test('says who writes, what renews, when and for how much, and what changes', async () => {
    const { link } = await aReminded({
      nextAmount: 1300,
      reference: 'C-7',
      renews: 'automatic',
      noticePeriod: '3 days',
    })
    const { statusCode, body, headers } = await open(link)
    expect(statusCode).toBe(200)
    for (const words of [
      'Web hosting',
      COMPANY,
      'C-7',
      'March 17, 2026 to March 17, 2027',
      '$1,300.00 a year (now $1,200.00 a year)',
      'March 14, 2026',
    ])
      expect(body).toContain(words)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).not.toContain('<script')
  })

  test('changes nothing, however often it is opened, and neither does a post without its token', async () => {
    const { link, contract, answers } = await aReminded({}, { renewal: 'at_once' })
    const before = await contract()
    for (const url of [link, `${link}/renew`, `${link}/change`, `${link}/end`]) {
      expect((await open(url)).statusCode).toBe(200)
      expect((await server.app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
    }
    expect((await post(link, { choice: 'renew' })).statusCode).toBe(409)
    expect((await post(link, { choice: 'renew', page: '1.x' })).statusCode).toBe(409)
    expect((await post(link, {})).statusCode).toBe(409)
    expect(await contract()).toEqual(before)
    expect(await answers()).toEqual([])
  })

  test('of a forged link, or of a contract that is deleted, is not found', async () => {
    const { link, as, id } = await aReminded()
    const other = await aReminded()
    const [account = '', , seal = ''] = link.replace('/answer/', '').split('.')
    const theirs = other.link.split('.')[1] ?? ''
    for (const url of [
      `/answer/${account}.${theirs}.${seal}`,
      `${link}x`,
      '/answer/x',
      '/answer/x/renew',
      `${link}/pdf`,
    ])
      expect((await open(url)).statusCode).toBe(404)
    await as((ctx) => removeContract(ctx, { id }))
    expect((await open(link)).statusCode).toBe(404)
    expect((await post(link, { choice: 'renew' })).statusCode).toBe(404)
  })

  test.each([
    ['is revoked', 'withdrawn by', (ctx, id) => revokeLinks(ctx, { id })],
    ['is renewed', 'has been renewed since', (ctx, id) => renewContract(ctx, { id })],
    [
      'is set to end',
      'decided that this contract ends',
      (ctx, id) => endContract(ctx, { id, reason: 'Price', on: toDay('2026-03-17') }),
    ],
    ['has ended', 'is closed', (ctx, id) => endContract(ctx, { id, reason: 'Price' })],
    [
      'costs more',
      'has changed this contract',
      (ctx, id) => updateContract(ctx, UpdateContract.parse({ id, amount: 1 })),
    ],
    [
      'cannot be answered',
      'cannot be answered here',
      (ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, hasLink: false }),
    ],
  ] satisfies [string, string, Act][])(
    'of a contract that %s says so, and takes no answer',
    async (_what, words, act) => {
      const { link, as, id, answers } = await aReminded()
      const { body: form } = await open(`${link}/renew`)
      await as<unknown>((ctx) => act(ctx, id))
      const { body } = await open(link)
      expect(body).toContain(words)
      expect(body).not.toContain(`href="${link}/renew"`)
      expect((await post(link, { choice: 'renew', page: PAGE.exec(form)?.[1] ?? '' })).statusCode).toBe(409)
      expect(await answers()).toEqual([])
    },
  )

  test("of a link that was withdrawn, or was sent to an address that is the contact's no longer, shows nothing new", async () => {
    const { link, as, id, request } = await aReminded({ reference: 'C-7' })
    const stranger = await aCustomer(request, { name: 'Quay', email: 'cook@quay.test' })
    await as((ctx) =>
      updateContract(ctx, UpdateContract.parse({ id, customerId: stranger.id, amount: 4321, title: 'Secret' })),
    )
    for (const words of ['Quay', '4,321', 'Secret', 'C-7']) expect((await open(link)).body).not.toContain(words)
    const given = await aReminded()
    await answer(given.link, 'end', { reason: 'Price', words: 'We close in May' })
    expect((await open(given.link)).body).toContain('We close in May')
    const other = await aReminded({ reference: 'C-7' })
    await other.as((ctx) => revokeLinks(ctx, { id: other.id }))
    for (const words of ['Web hosting', '1,200', 'C-7']) expect((await open(other.link)).body).not.toContain(words)
    await given.as((ctx) => revokeLinks(ctx, { id: given.id }))
    const { body } = await open(given.link)
    expect(body).toContain('withdrawn by')
    for (const words of ['Web hosting', 'We close in May']) expect(body).not.toContain(words)
    const moved = await aReminded()
    await moved.as((ctx) =>
      updateCustomer(ctx, UpdateCustomer.parse({ id: moved.customerId, email: 'new@harbor.test' })),
    )
    expect((await open(moved.link)).body).toContain('has changed this contract')
    expect((await answer(moved.link, 'end', { reason: 'Price' })).statusCode).toBe(409)
  })

  test('is over after the last day to answer', async () => {
    const { link, pass } = await aReminded({}, { deadline: 'renewal' })
    pass(7 * 24 * 60 * MINUTE)
    expect((await open(link)).body).toContain(`href="${link}/renew"`)
    pass(24 * 60 * MINUTE)
    expect((await open(link)).body).toContain('The last day to answer here has passed')
  })
})
