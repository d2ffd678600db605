import { describe, expect, test } from 'vitest'
import { toDay, type Day } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import { AnnounceMail, MessageKey } from '#shared/schemas/reminders.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { endContract, reopenContract } from '#server/contracts/renewals.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { postNotice } from '#server/notices/post-notice.service.ts'
import { bounceAll, ledgerOf } from '#support/ledger.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, aCustomer, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { announceMail } from './announced-mail.service.ts'
import { sendReminder } from './manual-reminders.service.ts'
import { skipReminder } from './outbox-actions.service.ts'
import { planReminders } from './plan-reminders.ts'

const world = useWorld()

/** The first day of the window of a contract that renews on April 5; no reminder is due before it. */
const TODAY = toDay('2026-03-05')
const FIRST_DAY = toDay('2026-03-06')
const NOTICE = expect.stringMatching(/^Notice: your contract renews/)

async function aNoticed(given: Parameters<typeof aNoticedContract>[1] = {}) {
  const noticed = await aNoticedContract(world, given)
  const { request, id, customerId, on } = noticed
  const saved = { id, customerId, renewalDate: '2026-04-05', status: 'active' }
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  return {
    ...noticed,
    as,
    announced: (planned: object = {}) =>
      announceMail(requireReader(request), AnnounceMail.parse({ ...saved, ...planned })),
    announcedNew: (planned: object = {}) =>
      announceMail(
        requireReader(request),
        AnnounceMail.parse({ customerId, status: 'active', renewalCycle: 'yearly', renews: 'automatic', ...planned }),
      ),
    update: (changes: object) => as((ctx) => updateContract(ctx, UpdateContract.parse({ id, ...changes }))),
    end: (day: Day) => as((ctx) => endContract(ctx, { id, reason: 'Price', on: day })),
    reopen: () => as((ctx) => reopenContract(ctx, { id })),
    subjectsOn: async (day: string, hour?: string) => (await on(day, hour)).map(({ subject }) => subject),
  }
}

const REOPENED = { endsOn: null }

describe('a notice that a new contract would send is said beforehand', () => {
  test('and so it comes', async () => {
    const { request, customerId, announcedNew, subjectsOn } = await aNoticed({
      contract: { renewalDate: '2027-01-01' },
    })
    await expect(announcedNew({ renewalDate: '2026-04-01' })).resolves.toMatchObject({ count: 4, first: TODAY })
    await aContract(request, { customerId, renewalDate: '2026-04-01', renews: 'automatic', renewalCycle: 'yearly' })
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([NOTICE])
  })

  test.each([
    ['that renews by agreement', { renews: 'by_agreement' }],
    ['that is not said to renew by itself', { renews: undefined }],
  ])('not of one %s', async (_which, terms) => {
    const { announcedNew } = await aNoticed()
    await expect(announcedNew({ renewalDate: '2026-04-01', ...terms })).resolves.toMatchObject({
      count: 6,
      first: '2026-03-18',
    })
  })

  test('where its notice period decides when, or that it is not known', async () => {
    const { announcedNew } = await aNoticed({ rule: { countedFrom: 'last_day_for_notice' } })
    const terms = { renewalDate: '2026-05-20' }
    await expect(announcedNew({ ...terms, noticePeriod: '2 months' })).resolves.toMatchObject({ first: TODAY })
    await expect(announcedNew({ ...terms, noticePeriod: '1 month' })).resolves.toMatchObject({ first: '2026-03-21' })
    await expect(announcedNew(terms)).resolves.toMatchObject({ first: '2026-04-20' })
  })

  test('where a tag decides, in any case', async () => {
    const { as, announcedNew } = await aNoticed({ contract: { renewalDate: '2027-01-01', tags: ['Retail'] } })
    const long = { name: 'Long', unit: 'days', from: 90, until: 60, countedFrom: 'renewal_date', means: ['email'] }
    const { id: rule } = await as((ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse({ ...long, contents: [] })))
    await as((ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ tag: 'Retail', rule })))
    const terms = { renewalDate: '2026-05-20' }
    await expect(announcedNew({ ...terms, tags: ['retail'] })).resolves.toMatchObject({ first: TODAY })
    await expect(announcedNew({ ...terms, tags: ['Other'] })).resolves.toMatchObject({ first: '2026-04-20' })
  })
})

describe('a notice that a change would send is said beforehand', () => {
  test('of a contract that is to renew by itself, and so it comes', async () => {
    const contract = { renews: 'by_agreement', renewalDate: '2026-04-01' }
    const { announced, update, subjectsOn } = await aNoticed({ contract })
    const saved = { renewalDate: '2026-04-01' }
    await expect(announced(saved)).resolves.toMatchObject({ count: 0, first: null })
    await expect(announced({ ...saved, renews: 'automatic' })).resolves.toMatchObject({ count: 1, first: TODAY })
    await update({ renews: 'automatic' })
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([NOTICE])
  })

  test('also where it has just been saved, in comparison with what that replaced', async () => {
    const contract = { renews: 'by_agreement', renewalDate: '2026-05-20' }
    const { announced, update } = await aNoticed({ rule: { countedFrom: 'last_day_for_notice' }, contract })
    const replaced = (before: object) => announced({ renewalDate: '2026-05-20', before })
    const [none, notice] = [
      { count: 0, first: null },
      { count: 1, first: TODAY },
    ]
    await update({ renews: 'automatic' })
    await expect(replaced({ renews: 'by_agreement' })).resolves.toMatchObject(none)
    await update({ noticePeriod: '2 months' })
    await expect(replaced({ noticePeriod: '' })).resolves.toMatchObject(notice)
    await expect(replaced({ renews: 'by_agreement' })).resolves.toMatchObject(notice)
    await expect(replaced({ nextCycle: 'monthly' })).resolves.toMatchObject(none)
  })

  test('of a monthly contract whose next term is a year, and so it comes', async () => {
    const contract = { renewalCycle: 'monthly', renewalDate: '2026-04-01' }
    const { announced, update, subjectsOn } = await aNoticed({ rule: { exceptMonthly: true }, contract })
    const saved = { renewalDate: '2026-04-01' }
    await expect(announced({ ...saved, nextCycle: 'monthly' })).resolves.toMatchObject({ count: 0, first: null })
    await expect(announced({ ...saved, nextCycle: 'yearly' })).resolves.toMatchObject({ count: 1, first: TODAY })
    await update({ nextCycle: 'yearly' })
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([NOTICE])
  })

  test('not of one that gets it anyway', async () => {
    const { announced } = await aNoticed()
    await expect(announced({ renews: 'automatic', tags: ['Retail'] })).resolves.toMatchObject({ count: 0, first: null })
  })

  test('of a contract of which a letter was mailed for the former date, and so it comes', async () => {
    const noticed = await aNoticed({ rule: { means: ['email', 'letter'] }, contract: { renewalDate: '2026-04-03' } })
    const { as, id, announced, update, subjectsOn } = noticed
    await as((ctx) => postNotice(ctx, PostNotice.parse({ id, on: TODAY })))
    await expect(announced({ renewalDate: '2026-04-02' })).resolves.toMatchObject({ first: TODAY })
    await update({ renewalDate: '2026-04-02' })
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([NOTICE])
    await expect(announced({ renewalDate: '2026-04-03' })).resolves.toMatchObject({ first: '2026-03-20' })
  })

  test('not where its date is put back to one of which notice was given', async () => {
    const { announced, update, subjectsOn } = await aNoticed()
    await expect(subjectsOn(FIRST_DAY)).resolves.toEqual([NOTICE])
    await update({ renewalDate: '2026-09-30' })
    await expect(announced({ renewalDate: '2026-04-05' })).resolves.toMatchObject({ first: '2026-03-22' })
    await update({ renewalDate: '2026-04-05' })
    await expect(subjectsOn(FIRST_DAY, '12:10')).resolves.toEqual([])
  })

  test('by the rule of the customer to whom it is moved, and so it comes', async () => {
    const { request, as, announced, update, subjectsOn } = await aNoticed({ contract: { renewalDate: '2026-05-20' } })
    const { id: customerId } = await aCustomer(request, { name: 'Birch', email: 'new@harbor.test' })
    const long = { name: 'Long', unit: 'days', from: 90, until: 60, countedFrom: 'renewal_date', means: ['email'] }
    const { id: rule } = await as((ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse({ ...long, contents: [] })))
    await as((ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ customerId, rule })))
    await expect(announced({ renewalDate: '2026-05-20', customerId })).resolves.toMatchObject({ first: TODAY })
    await update({ customerId })
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([NOTICE])
  })
})

describe('a notice that reopening would send is said beforehand', () => {
  test('and it comes in place of that day’s reminder', async () => {
    const { announced, end, reopen, subjectsOn } = await aNoticed({ contract: { renewalDate: '2026-04-04' } })
    const saved = { renewalDate: '2026-04-04' }
    await end(TODAY)
    await expect(announced({ ...saved, ...REOPENED })).resolves.toMatchObject({ count: 4, first: TODAY })
    await reopen()
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([NOTICE])
  })

  test('also where the address that it bounced from was corrected, and so it comes', async () => {
    const { request, as, customerId, announced, end, reopen, subjectsOn } = await aNoticed()
    await expect(subjectsOn(FIRST_DAY)).resolves.toEqual([NOTICE])
    await bounceAll(request)
    await end(FIRST_DAY)
    await subjectsOn('2026-03-08')
    const corrected = UpdateCustomer.parse({ id: customerId, email: 'new@harbor.test' })
    await as((ctx) => updateCustomer(ctx, corrected))
    await expect(announced(REOPENED)).resolves.toMatchObject({ first: '2026-03-08' })
    await reopen()
    await expect(subjectsOn('2026-03-08', '12:10')).resolves.toEqual([NOTICE])
  })

  test('for tomorrow where the customer was written to today, and so it comes', async () => {
    const { id, as, announced, end, reopen, subjectsOn } = await aNoticed({ contract: { renewalDate: '2026-04-04' } })
    await as((ctx) => sendReminder(ctx, { id }))
    await end(TODAY)
    await expect(announced({ renewalDate: '2026-04-04', ...REOPENED })).resolves.toMatchObject({ first: FIRST_DAY })
    await reopen()
    await expect(subjectsOn(TODAY, '12:10')).resolves.toEqual([])
    await expect(subjectsOn(FIRST_DAY)).resolves.toEqual([NOTICE])
  })

  test('for the same day where only the owner was written to, and so it comes', async () => {
    const { request, announced, end, reopen, subjectsOn } = await aNoticed()
    await end(toDay('2026-04-05'))
    await expect(subjectsOn(FIRST_DAY)).resolves.toEqual([])
    expect(await ledgerOf(request)).toContainEqual(expect.objectContaining({ recipient: 'owner', state: 'sent' }))
    await expect(announced(REOPENED)).resolves.toMatchObject({ first: FIRST_DAY })
    await reopen()
    await expect(subjectsOn(FIRST_DAY, '12:10')).resolves.toEqual([NOTICE])
  })

  test('not where the owner skipped it, and so none comes', async () => {
    const { request, ctx, as, announced, end, reopen, on, notices } = await aNoticed()
    await on(TODAY, '12:00')
    await planReminders({ ...ctx, services: { ...ctx.services, now: () => new Date(`${FIRST_DAY}T12:00:00Z`) } })
    const [planned] = await notices()
    await as((subscriber) => skipReminder(subscriber, MessageKey.parse(planned)))
    await end(FIRST_DAY)
    await expect(announced(REOPENED)).resolves.toMatchObject({ first: '2026-03-22' })
    await reopen()
    await expect(on('2026-03-07')).resolves.toEqual([])
    expect((await ledgerOf(request)).filter(({ kind, state }) => kind === 'notice' && state === 'sent')).toEqual([])
  })
})
