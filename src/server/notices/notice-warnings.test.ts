import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import type { RequestContext } from '#server/context.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { bounceAll } from '#support/ledger.ts'
import { lostConnection, noMailServer } from '#support/mailbox.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { notificationsOf } from '#support/notifications.ts'
import { aContract, aCustomer, asSubscriber, useWorld } from '#support/world.ts'
import { mailNoticeWarnings } from './mail-notice-warnings.ts'
import { postNotice } from './post-notice.service.ts'

const world = useWorld()
const LETTER = { means: ['letter'] }
const TITLE = 'Harbor has not been told yet'

/** What the owner was warned of in the app, the latest first. */
const warnings = async (request: RequestContext) =>
  (await notificationsOf(request)).filter(({ title }) => /told yet/.test(title))

async function run(request: RequestContext, statement: string, ...values: string[]) {
  const accountId = request.caller?.id ?? 0
  await request.db.writeAs(accountId, (em) => em.execute(statement, [accountId, ...values]))
}

describe('a window that closes without notice', () => {
  test('is warned of 7 and 2 days before, in the app and by email, once each', async () => {
    const { request, id, warnedOn, list } = await aNoticedContract(world, {
      rule: LETTER,
      contract: { title: 'Ovens' },
    })
    expect(await warnedOn('2026-03-13')).toEqual([])
    expect((await list('due', '2026-03-13')).rows).toMatchObject([{ warning: null }])
    const [mail, ...others] = await warnedOn('2026-03-14')
    expect(others).toEqual([])
    expect(mail?.subject).toBe(
      'Harbor has not been told yet that a contract renews: the time for it ends in 7 days, on March 21, 2026',
    )
    expect(mail?.to).toEqual([request.caller?.email])
    expect(mail?.text).toContain(
      'Harbor, Ovens: Closes in 7 days, on March 21, 2026. By the rule, email does not count. Mail a letter.',
    )
    expect(mail?.text).toContain('Open Notices: http://localhost:3000/notices')
    expect(await warnings(request)).toMatchObject([
      {
        title: TITLE,
        message:
          'The time to tell them that the contract "Ovens" renews ends in 7 days, on March 21, 2026. By the rule, email does not count. Mail a letter.',
        actionUrl: `/contracts?open=${id}`,
      },
    ])
    expect(await warnedOn('2026-03-14', '15:00')).toEqual([])
    expect(await warnedOn('2026-03-18')).toEqual([])
    expect(await warnedOn('2026-03-19')).toHaveLength(1)
    expect(await warnedOn('2026-03-20')).toEqual([])
    expect(await warnings(request)).toHaveLength(2)
    expect((await list('due', '2026-03-19')).rows).toMatchObject([
      {
        warning: {
          daysLeft: 2,
          reason: 'letter_only',
          why: 'By the rule, email does not count',
          remedy: 'Mail a letter.',
        },
      },
    ])
  })

  test('is warned of on its first day if that is later, and when a planner that was down is back, once', async () => {
    const short = await aNoticedContract(world, { rule: { ...LETTER, from: 16 } })
    expect(await short.warnedOn('2026-03-19')).toEqual([])
    expect(await short.warnedOn('2026-03-20')).toMatchObject([
      { subject: expect.stringMatching(/the time for it ends tomorrow/) },
    ])
    const late = await aNoticedContract(world, { rule: LETTER })
    expect(await late.warnedOn('2026-03-10')).toEqual([])
    expect(await late.warnedOn('2026-03-20')).toHaveLength(1)
    expect(await late.warnedOn('2026-03-21')).toEqual([])
    expect(await warnings(late.request)).toHaveLength(1)
    const gone = await aNoticedContract(world, { rule: LETTER })
    expect(await gone.warnedOn('2026-03-22')).toEqual([])
  })

  test('is warned of where the account has no access', async () => {
    const { request, warnedOn } = await aNoticedContract(world)
    await run(request, `update subscriptions set status = 'canceled' where account_id = ?`)
    const [mail] = await warnedOn('2026-03-14')
    expect(mail?.text).toContain('Your subscription does not cover sending emails. Renew your subscription.')
  })

  test('is not warned of once a letter was mailed, or an email was sent that counts', async () => {
    const mailed = await aNoticedContract(world, { rule: LETTER })
    await mailed.warnedOn('2026-03-10')
    const input = PostNotice.parse({ id: mailed.id, on: '2026-03-10' })
    await asSubscriber(mailed.request, (ctx) => postNotice({ ...ctx, today: toDay('2026-03-10') }, input))
    expect(await mailed.warnedOn('2026-03-14')).toEqual([])
    const sent = await aNoticedContract(world)
    await sent.on('2026-03-06')
    expect(await sent.warnedOn('2026-03-20')).toEqual([])
    expect(await warnings(sent.request)).toEqual([])
  })
})

describe('an email', () => {
  test('that is planned for today is no reason to warn, and one that still waits in the last two days is', async () => {
    const { warnedOn, request, list } = await aNoticedContract(world, {
      rule: { from: 22, means: ['email', 'letter'] },
    })
    expect(await warnedOn('2026-03-14')).toEqual([])
    expect(await warnedOn('2026-03-18')).toEqual([])
    const [mail] = await warnedOn('2026-03-19')
    expect(mail?.text).toContain('The email is planned, but has not been sent yet. Mail a letter.')
    expect((await list('due', '2026-03-19')).rows).toMatchObject([{ warning: { reason: 'waiting' } }])
    expect(await warnings(request)).toHaveLength(1)
  })

  test('that waits for an hour in the last two days is warned of on the same day', async () => {
    const { warnedOn } = await aNoticedContract(world, { rule: { from: 15 } })
    expect(await warnedOn('2026-03-21', '12:00')).toEqual([])
    expect(await warnedOn('2026-03-21', '12:59')).toEqual([])
    expect(await warnedOn('2026-03-21', '13:00')).toHaveLength(1)
    expect(await warnedOn('2026-03-21', '20:00')).toEqual([])
  })

  test('that waits for the company name is warned of with that reason', async () => {
    const { warnedOn } = await aNoticedContract(world, { account: { company: null } })
    expect(await warnedOn('2026-03-13')).toEqual([])
    const [mail] = await warnedOn('2026-03-14')
    expect(mail?.text).toContain('Your company name is missing. Enter your company name.')
  })

  test('that had counted and bounces is warned of, also where a warning was given before', async () => {
    const { request, customerId, on, warnedOn } = await aNoticedContract(world, { email: null })
    expect(await warnedOn('2026-03-14')).toMatchObject([
      { text: expect.stringMatching(/has no email address\. Add an email address\./) },
    ])
    const email = 'new@harbor.test'
    await asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email })))
    expect(await on('2026-03-15')).toHaveLength(1)
    expect(await warnedOn('2026-03-16')).toEqual([])
    await bounceAll(request)
    // That of the reminders to the owner is not what this is about.
    await run(request, 'delete from bounced_addresses where account_id = ? and address <> ?', email)
    expect(await warnedOn('2026-03-17')).toMatchObject([
      { text: expect.stringMatching(/Email to the customer's address bounced/) },
    ])
    expect(await warnedOn('2026-03-18')).toEqual([])
    expect(await warnedOn('2026-03-19')).toHaveLength(1)
    expect(await warnings(request)).toHaveLength(3)
  })
})

test('another last day is warned of again', async () => {
  const { request, id, warnedOn } = await aNoticedContract(world, { rule: LETTER })
  expect(await warnedOn('2026-03-14')).toHaveLength(1)
  const later = { name: 'Later', unit: 'days', from: 30, until: 12, countedFrom: 'renewal_date', means: ['letter'] }
  const made = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse(later)))
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: made.id })))
  expect(await warnedOn('2026-03-15')).toEqual([])
  expect(await warnedOn('2026-03-17')).toMatchObject([
    { subject: expect.stringMatching(/in 7 days, on March 24, 2026/) },
  ])
  await asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, renews: 'by_agreement' })))
  expect(await warnedOn('2026-03-22')).toEqual([])
})

describe('the email to the owner', () => {
  test('is one a day for all of an account, and what comes later that day waits until the next', async () => {
    const { request, warnedOn } = await aNoticedContract(world, { rule: LETTER })
    const add = async (name: string, renewalDate: string) => {
      const { id: customerId } = await aCustomer(request, { name })
      await aContract(request, { customerId, renews: 'automatic', renewalCycle: 'yearly', renewalDate })
    }
    await add('Mill', '2026-04-04')
    const [mail, ...others] = await warnedOn('2026-03-14')
    expect(others).toEqual([])
    expect(mail?.subject).toBe(
      '2 customers have not been told yet that a contract renews: the time for it ends in 6 days, on March 20, 2026',
    )
    expect(mail?.text).toMatch(/Mill: .*\nHarbor: /)
    await add('Quarry', '2026-04-03')
    expect(await warnedOn('2026-03-14', '14:00')).toEqual([])
    // What closes today does not wait, and leaves the other to the next day.
    await add('Pier', '2026-03-29')
    expect(await warnedOn('2026-03-14', '15:00')).toMatchObject([
      { subject: expect.stringMatching(/^Pier has not been told yet/) },
    ])
    expect(await warnings(request)).toHaveLength(4)
    const [next] = await warnedOn('2026-03-15')
    expect(next?.subject).toBe(
      'Quarry has not been told yet that a contract renews: the time for it ends in 4 days, on March 19, 2026',
    )
    await add('Dock', '2026-03-30')
    expect(await warnedOn('2026-03-15', '14:00')).toMatchObject([
      { subject: 'Dock has not been told yet that a contract renews: the time for it ends today, on March 15, 2026' },
    ])
  })

  test('of many names them in the app together', async () => {
    const { request, warnedOn } = await aNoticedContract(world, { rule: LETTER })
    for (let n = 1; n <= 5; n += 1) {
      const { id: customerId } = await aCustomer(request, { name: `Mill ${n}` })
      await aContract(request, { customerId, renews: 'automatic', renewalCycle: 'yearly', renewalDate: '2026-04-05' })
    }
    expect(await warnedOn('2026-03-14')).toHaveLength(1)
    expect(await warnings(request)).toMatchObject([
      { title: '6 customers have not been told yet', actionUrl: '/notices' },
    ])
  })

  test('is tried again with the same Message-ID until the server takes it, and no more once notice was given', async () => {
    const { warnedOn, fail, received, tried, ctx, request, id } = await aNoticedContract(world, { rule: LETTER })
    await warnedOn('2026-03-13')
    const triedBefore = tried.length
    fail(noMailServer())
    expect(await warnedOn('2026-03-14')).toEqual([])
    fail(lostConnection())
    expect(await warnedOn('2026-03-14', '12:15')).toEqual([])
    fail()
    expect(await warnedOn('2026-03-14', '13:00')).toEqual([])
    expect(await warnedOn('2026-03-14', '18:15')).toHaveLength(1)
    const [messageId, ...others] = tried.slice(triedBefore).filter((one) => one.includes('notice-warnings'))
    expect(others).toEqual([messageId, messageId])
    fail(noMailServer())
    expect(await warnedOn('2026-03-19')).toEqual([])
    fail()
    const input = PostNotice.parse({ id, on: '2026-03-19' })
    await asSubscriber(request, (own) => postNotice({ ...own, today: toDay('2026-03-19') }, input))
    const before = received.length
    expect(await warnedOn('2026-03-19', '13:00')).toEqual([])
    await mailNoticeWarnings(ctx)
    expect(received).toHaveLength(before)
  })

  test('is left out where the owner has no address that works, and another account is not touched', async () => {
    const { request, warnedOn } = await aNoticedContract(world, { rule: LETTER })
    const other = await aNoticedContract(world, { rule: LETTER })
    const bounced = `insert into bounced_addresses (account_id, address, bounced_at) values (?, ?, now())`
    await run(request, bounced, request.caller?.email ?? '')
    expect(await warnedOn('2026-03-14')).toEqual([])
    expect(await warnings(request)).toHaveLength(1)
    expect(await warnings(other.request)).toHaveLength(1)
  })
})

test('an owner is not warned again where an email of a clock that was ahead no longer counts', async () => {
  const { request, on, warnedOn } = await aNoticedContract(world)
  expect(await on('2026-03-18')).toHaveLength(1)
  const letter = { name: 'Letters', unit: 'days', from: 30, until: 15, countedFrom: 'renewal_date', means: ['letter'] }
  const { id } = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse(letter)))
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: id })))
  expect(await warnedOn('2026-03-14')).toHaveLength(1)
  expect(await warnedOn('2026-03-15')).toEqual([])
})

test('nor twice on a day where that clock was some hours ahead', async () => {
  const { request, on, warnedOn } = await aNoticedContract(world)
  expect(await on('2026-03-14', '20:00')).toHaveLength(1)
  const letter = { name: 'Letters', unit: 'days', from: 30, until: 15, countedFrom: 'renewal_date', means: ['letter'] }
  const { id } = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse(letter)))
  const choose = () => asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: id })))
  await warnedOn('2026-03-14', '11:00')
  await choose()
  expect(await warnedOn('2026-03-14')).toHaveLength(1)
  // So that it is planned again.
  await choose()
  await warnedOn('2026-03-14', '12:30')
  expect(await warnings(request)).toHaveLength(1)
})
