import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { EnteredAnswer } from '#shared/schemas/answers.ts'
import { ChooseNoticeRule } from '#shared/schemas/notice-rules.ts'
import { endContract, reopenContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { saveAnswerSettings } from '#server/customer-answers/answer-settings.service.ts'
import { openAnswerPage } from '#server/customer-answers/answer-page.service.ts'
import { giveAnswer } from '#server/customer-answers/give-answer.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { snoozeReminder } from '#server/reminders/outbox-actions.service.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { asSubscriber, useWorld } from '#support/world.ts'

const world = useWorld()
const LATER = Object.assign(new Error('later'), { responseCode: 451, response: '451 later' })
const NOTICE = /^Notice: your contract renews/

type Noticed = Awaited<ReturnType<typeof aNoticedContract>>

function choose({ request }: Noticed, rule: 'none') {
  return asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule })))
}

describe('a notice that is planned', () => {
  test('goes out although an answer about the contract waits', async () => {
    const { request, on, fail } = await aNoticedContract(world, { rule: { from: 15, until: 15 } })
    const [reminder] = await on('2026-03-06')
    const token = /\/answer\/(\S+)/.exec(reminder?.text ?? '')?.[1] ?? ''
    fail(LATER)
    await on('2026-03-21')
    const { pageToken } = await openAnswerPage(request, token)
    const entered = EnteredAnswer.parse({ choice: 'change', words: 'Please call.' })
    await giveAnswer(request, token, { entered, pageToken, address: '192.0.2.7' })
    fail()
    const received = await on('2026-03-21', '20:00')
    expect(received.filter(({ subject }) => NOTICE.test(subject))).toHaveLength(1)
  })

  test('about a term that its customer renewed to goes with it, and out once the same is answered again', async () => {
    const { request, on, notices, fail } = await aNoticedContract(world, {
      rule: { from: 30, until: 1 },
      contract: { renewalCycle: 'monthly' },
    })
    await asSubscriber(request, (ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, renewal: 'at_once' }))
    const [first] = await on('2026-04-04')
    const token = /\/answer\/(\S+)/.exec(first?.text ?? '')?.[1] ?? ''
    const renew = async () => {
      const { pageToken } = await openAnswerPage(request, token)
      await giveAnswer(request, token, { entered: { choice: 'renew' }, pageToken, address: '192.0.2.7' })
    }
    fail(LATER)
    await on('2026-04-05')
    await renew()
    await on('2026-04-05', '12:10')
    expect(await notices()).toMatchObject([{ state: 'sent' }, { renewalDate: '2026-05-05', state: 'planned' }])
    await renew()
    expect(await notices()).toMatchObject([{ renewalDate: '2026-04-05', state: 'sent' }])
    fail()
    const received = await on('2026-04-05', '12:20')
    expect(received.filter(({ subject }) => NOTICE.test(subject))).toHaveLength(1)
    expect(await notices()).toMatchObject([{ state: 'sent' }, { renewalDate: '2026-05-05', state: 'sent' }])
  })

  test('is not sent by a rule that no longer applies, also before anything is planned anew', async () => {
    const noticed = await aNoticedContract(world)
    const { on, notices, fail } = noticed
    fail(LATER)
    await on('2026-03-06')
    fail()
    await choose(noticed, 'none')
    // The account's hour has not come, so that only what was planned is sent.
    expect(await on('2026-03-07', '05:00')).toEqual([])
    expect(await notices()).toMatchObject([{ state: 'skipped', reason: 'not_due' }])
  })

  test('and comes too late takes the place of no reminder', async () => {
    const { on, notices, fail, request } = await aNoticedContract(world, { rule: { from: 15, until: 15 } })
    fail(LATER)
    await on('2026-03-21')
    fail()
    expect(await on('2026-03-22')).toMatchObject([{ subject: 'Your contract renews on April 5, 2026' }])
    expect(await notices()).toMatchObject([{ state: 'skipped', reason: 'too_late' }])
    const reminders = (await ledgerOf(request)).filter(
      ({ kind, recipient }) => kind === 'reminder' && recipient === 'customer',
    )
    expect(reminders.at(-1)).toMatchObject({ offset: 14, state: 'sent' })
  })

  test('leaves a reminder that was put off until a later day', async () => {
    const { request, id, on, fail } = await aNoticedContract(world, { rule: { from: 13, until: 5 } })
    fail(LATER)
    await on('2026-03-22')
    const reminder = { contractId: id, kind: 'reminder', offset: 14, recipient: 'customer', contactId: 0 } as const
    const putOff = {
      ...reminder,
      channel: 'email',
      renewalDate: toDay('2026-04-05'),
      until: toDay('2026-03-25'),
    } as const
    await asSubscriber(request, (ctx) => snoozeReminder(ctx, putOff))
    fail()
    expect(await on('2026-03-23')).toMatchObject([{ subject: expect.stringMatching(NOTICE) }])
    expect(await on('2026-03-25')).toMatchObject([{ subject: 'Your contract renews on April 5, 2026' }])
  })

  test('again, because an end was undone, is not sent where another was', async () => {
    const { request, id, on, notices, fail } = await aNoticedContract(world)
    const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
    fail(LATER)
    await on('2026-03-06')
    await as((ctx) => endContract(ctx, { id, reason: 'Price', on: ctx.today }))
    await as((ctx) => reopenContract(ctx, { id }))
    fail()
    expect(await on('2026-03-08')).toMatchObject([{ subject: expect.stringMatching(NOTICE) }])
    await as((ctx) => undoDecision(ctx, { id }))
    await as((ctx) => undoDecision(ctx, { id }))
    expect(await on('2026-03-09')).toEqual([])
    expect(await notices()).toMatchObject([{ state: 'skipped', reason: 'noticed' }, { state: 'sent' }])
  })
})

test('no notice is planned again by a rule that no longer applies, after one that bounced', async () => {
  const noticed = await aNoticedContract(world)
  const { on, notices, request } = noticed
  await on('2026-03-06')
  await choose(noticed, 'none')
  await request.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`update reminders set state = 'bounced' where kind = 'notice'`),
  )
  await on('2026-03-08')
  expect(await notices()).toHaveLength(1)
})
