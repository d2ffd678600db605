import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import { SavedText, WriteText } from '#shared/schemas/reminder-texts.ts'
import { addContact, makeFirst } from '#server/contacts/contacts.service.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { saveAnswerSettings } from '#server/customer-answers/answer-settings.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { saveText } from '#server/reminder-settings/texts.service.ts'
import { deleteForGood } from '#server/trash/delete-for-good.ts'
import { removeContractForGood } from '#server/trash/trash.service.ts'
import { watchQueue } from '#support/held-rows.ts'
import { bounceAll, ledgerOf } from '#support/ledger.ts'
import { noMailServer, type Received } from '#support/mailbox.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { aContract, asSubscriber, useWorld } from '#support/world.ts'
import type { RequestContext } from '#server/context.ts'
import { postNotice, unpostNotice } from './post-notice.service.ts'

const world = useWorld()

/** Another rule for all contracts. */
async function choose(request: RequestContext, changes: object): Promise<void> {
  const own = {
    name: 'New',
    unit: 'days',
    from: 20,
    until: 15,
    countedFrom: 'renewal_date',
    means: ['email'],
    ...changes,
  }
  const { id } = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse(own)))
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: id })))
}

/** The addresses of the customer's contacts that got one. */
function toCustomer(received: readonly Received[]): string[] {
  return received.flatMap(({ to }) => to.filter((address) => address.endsWith('harbor.test')))
}

describe('a notice by email', () => {
  test('is sent on the first day of its window, once, in its own words', async () => {
    const { on, notices, list } = await aNoticedContract(world, { contract: { noticePeriod: '10 days' } })
    expect(await on('2026-03-05')).toEqual([])
    const [mail, ...others] = await on('2026-03-06')
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Notice: your contract renews on April 5, 2026')
    expect(mail?.text).toContain('It renews automatically on April 5, 2026 unless you decline.')
    expect(mail?.text).toContain('The next term costs $1,200.00 a year, the same as now.')
    expect(mail?.text).toMatch(
      /If you do not want it to renew, answer online or reply to this message by March 26, 2026 and say so\.\n\nAnswer online: http:\S+\/answer\/\S+\n[^]*\nAlder Supplies\n/,
    )
    expect(await on('2026-03-07')).toEqual([])
    expect(await notices()).toMatchObject([{ state: 'sent', dueOn: '2026-03-06', address: 'orders@harbor.test' }])
    expect((await list('given', '2026-03-07')).rows).toMatchObject([
      { customerName: 'Harbor', email: { address: 'orders@harbor.test', deliveredAt: null } },
    ])
    expect((await list('due', '2026-03-07')).rows).toEqual([])
    expect((await list('missed', '2026-03-30')).rows).toEqual([])
  })

  test('names a reply alone where customers do not answer online', async () => {
    const { request, on } = await aNoticedContract(world)
    await asSubscriber(request, (ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, hasLink: false }))
    const [mail] = await on('2026-03-06')
    expect(mail?.text).toContain('If you do not want it to renew, reply to this message by April 4, 2026 and say so.')
    expect(mail?.text).not.toContain('nswer online')
  })

  test('says what the next term costs where that rises', async () => {
    const { request, id, on } = await aNoticedContract(world)
    const dearer = UpdateContract.parse({ id, nextAmount: 1300 })
    await asSubscriber(request, (ctx) => updateContract(ctx, dearer))
    await on('2026-03-05')
    const [mail] = await on('2026-03-06')
    expect(mail?.text).toContain('The next term costs $1,300.00 a year. Until then it costs $1,200.00 a year.')
  })

  test('is not sent where only a letter counts, where no rule is chosen, or once a letter was posted', async () => {
    const letter = await aNoticedContract(world, { rule: { means: ['letter'] } })
    expect(await letter.on('2026-03-06')).toMatchObject([{ subject: 'Your contract renews on April 5, 2026' }])
    expect(await letter.notices()).toEqual([])
    const posted = await aNoticedContract(world, { rule: { means: ['email', 'letter'] }, email: null })
    expect(await posted.on('2026-03-06')).toEqual([])
    const input = PostNotice.parse({ id: posted.id, on: '2026-03-06' })
    await asSubscriber(posted.request, (ctx) => postNotice({ ...ctx, today: toDay('2026-03-06') }, input))
    const reached = UpdateCustomer.parse({ id: posted.customerId, email: 'new@harbor.test' })
    await asSubscriber(posted.request, (ctx) => updateCustomer(ctx, reached))
    expect(await posted.on('2026-03-07')).toEqual([])
    expect(await posted.notices()).toEqual([])
    await asSubscriber(posted.request, (ctx) => unpostNotice(ctx, { id: posted.id }))
    expect(await posted.on('2026-03-07', '13:00')).toMatchObject([
      { subject: 'Notice: your contract renews on April 5, 2026' },
    ])
  })

  test('replaces the reminder of its day', async () => {
    // Of the reminders, that of 30 days before falls on March 6 as well.
    const { request, on } = await aNoticedContract(world)
    expect(await on('2026-03-06')).toHaveLength(1)
    const customer = (await ledgerOf(request)).filter(({ recipient }) => recipient === 'customer')
    expect(customer).toMatchObject([
      { kind: 'notice', state: 'sent' },
      { kind: 'reminder', offset: 30, state: 'skipped', reason: 'noticed' },
    ])
    expect(await on('2026-03-22')).toMatchObject([{ subject: 'Your contract renews on April 5, 2026' }])
  })

  test('waits until tomorrow where a reminder was sent before the rule was chosen', async () => {
    const { request, on, notices } = await aNoticedContract(world, { rule: { from: 25, until: 15 } })
    expect(await on('2026-03-06')).toMatchObject([{ subject: 'Your contract renews on April 5, 2026' }])
    await choose(request, { from: 30 })
    expect(await on('2026-03-06', '13:00')).toEqual([])
    expect(await on('2026-03-07')).toMatchObject([{ subject: 'Notice: your contract renews on April 5, 2026' }])
    expect(await notices()).toMatchObject([{ state: 'sent', dueOn: '2026-03-07' }])
  })

  test('is sent again within its window after the clock was wrong, and it was sent on a later day', async () => {
    const { request, on, warnedOn } = await aNoticedContract(world)
    expect(await on('2026-03-06')).toHaveLength(1)
    const { id: accountId = 0 } = request.caller ?? {}
    const later = `update reminders set due_on = due_on + 60, sent_on = sent_on + 60, sent_at = sent_at + interval '60 days',
      planned_at = planned_at + interval '60 days' where account_id = ? and kind = 'notice'`
    await request.db.writeAs(accountId, (em) => em.execute(later, [accountId]))
    expect(await on('2026-03-10')).toHaveLength(1)
    expect(await on('2026-03-11')).toEqual([])
    expect(await warnedOn('2026-03-19')).toEqual([])
  })

  test('is sent once there is an address, and again after a bounce to another one', async () => {
    const { request, customerId, on, notices, list } = await aNoticedContract(world, { email: null })
    expect(await on('2026-03-06')).toEqual([])
    const address = (email: string) =>
      asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email })))
    await address('wrong@harbor.test')
    await on('2026-03-08')
    await bounceAll(request)
    expect((await list('due', '2026-03-09')).total).toBe(1)
    await on('2026-03-09')
    await address('new@harbor.test')
    expect(await on('2026-03-10')).toHaveLength(1)
    expect(await notices()).toMatchObject([
      { state: 'bounced', address: 'wrong@harbor.test' },
      { state: 'sent', address: 'new@harbor.test' },
    ])
    expect((await list('given', '2026-03-10')).rows).toMatchObject([{ email: { address: 'new@harbor.test' } }])
  })

  test('counts only by the rule that is chosen now', async () => {
    const { request, on, list } = await aNoticedContract(world)
    await on('2026-03-06')
    await choose(request, { from: 30, means: ['letter'] })
    await on('2026-03-08')
    expect((await list('due', '2026-03-08')).total).toBe(1)
    await choose(request, { from: 20 })
    expect(await on('2026-03-16')).toMatchObject([{ subject: 'Notice: your contract renews on April 5, 2026' }])
    expect((await list('given', '2026-03-16')).rows).toMatchObject([{ from: '2026-03-16', email: {} }])
  })

  test('that waits since before the window of another rule is the only one', async () => {
    const { request, on, notices, fail } = await aNoticedContract(world)
    fail(noMailServer())
    await on('2026-03-06')
    await choose(request, { from: 28 })
    expect(await on('2026-03-08')).toEqual([])
    fail()
    expect(await on('2026-03-09')).toMatchObject([{ subject: 'Notice: your contract renews on April 5, 2026' }])
    expect(await notices()).toMatchObject([{ state: 'sent', dueOn: '2026-03-06' }])
  })

  test('counts on once its contract is deleted for good', async () => {
    const { request, id, on, list } = await aNoticedContract(world)
    await on('2026-03-06')
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    expect((await list('given', '2026-03-30')).rows).toMatchObject([
      { contractId: null, customerName: 'Harbor', email: { address: 'orders@harbor.test' } },
    ])
    expect((await list('missed', '2026-03-30')).rows).toEqual([])
  })

  test('stays given when its contract is deleted for good and one of its emails bounces later', async () => {
    const { request, id, customerId, on, list } = await aNoticedContract(world)
    const other = AddContact.parse({ id: customerId, name: 'Kim', email: 'kim@harbor.test', reminders: true })
    await asSubscriber(request, (ctx) => addContact(ctx, other))
    await on('2026-03-06')
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    await bounceAll(request, 'orders@harbor.test')
    expect((await list('given', '2026-03-30')).rows).toMatchObject([{ email: { address: 'kim@harbor.test' } }])
    await bounceAll(request)
    expect((await list('given', '2026-03-30')).rows).toEqual([])
  })

  test('stays given when two processes delete for good at once, and each finds other contracts', async () => {
    const { request, customerId, id: first, on, list } = await aNoticedContract(world)
    const terms = { customerId, renews: 'automatic', renewalCycle: 'yearly', renewalDate: '2026-04-05' } as const
    const { id: second } = await aContract(request, terms)
    await on('2026-03-06')
    for (const id of [first, second]) await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    const [deleted, released] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
    const one = asSubscriber(request, async (ctx) => {
      deleted.resolve(await deleteForGood(ctx, sql`k.id = ${first}`))
      await released.promise
    })
    await deleted.promise
    await using queue = await watchQueue(world)
    const other = asSubscriber(request, (ctx) =>
      deleteForGood(
        ctx,
        sql`k.id = any(array(select id from contracts
          where account_id = ${ctx.accountId} and deleted_at is not null order by id limit 1))`,
      ),
    )
    await queue.waitedFor(1)
    released.resolve(undefined)
    await Promise.all([one, other])
    expect((await list('given', '2026-03-30')).total).toBe(2)
  })

  test('that bounced was missed in the end, also where its contract is deleted for good before or after its window closes', async () => {
    for (const isBefore of [true, false]) {
      const { request, id, on, list } = await aNoticedContract(world)
      await on('2026-03-06')
      await bounceAll(request)
      await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
      if (isBefore) await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
      await on('2026-03-10')
      await on('2026-03-22')
      if (!isBefore) await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
      expect((await list('missed', '2026-03-22')).rows).toMatchObject([{ contractId: null, customerName: 'Harbor' }])
    }
  })

  test('is not sent again to whoever got it before another contact was made the first, and is sent to that one', async () => {
    const { request, customerId, on, received, notices } = await aNoticedContract(world)
    await on('2026-03-06')
    const kim = AddContact.parse({ id: customerId, name: 'Kim', email: 'kim@harbor.test' })
    const contact = await asSubscriber(request, (ctx) => addContact(ctx, kim))
    await asSubscriber(request, (ctx) => makeFirst(ctx, contact))
    for (const day of ['2026-03-07', '2026-03-08']) await on(day)
    expect(toCustomer(received)).toEqual(['orders@harbor.test', 'kim@harbor.test'])
    expect(await notices()).toMatchObject([
      { contactId: contact.id, contactName: 'Harbor', address: 'orders@harbor.test' },
      { contactId: 0, contactName: null, address: 'kim@harbor.test' },
    ])
  })

  test('that waits when another contact is made the first goes to whom it was planned for, and to the other', async () => {
    const { request, customerId, on, received, fail } = await aNoticedContract(world)
    fail(noMailServer())
    await on('2026-03-06')
    const kim = AddContact.parse({ id: customerId, name: 'Kim', email: 'kim@harbor.test' })
    const contact = await asSubscriber(request, (ctx) => addContact(ctx, kim))
    await asSubscriber(request, (ctx) => makeFirst(ctx, contact))
    fail()
    for (const day of ['2026-03-07', '2026-03-08']) await on(day)
    expect(toCustomer(received).toSorted()).toEqual(['kim@harbor.test', 'orders@harbor.test'])
  })

  test.each([
    ['of the former first contact, which another contact reads too', 'Orders+kim@harbor.test', 'lee@harbor.test'],
    ['of the new first contact, which another contact reads too', 'kim@harbor.test', 'Kim+lee@harbor.test'],
  ])('is sent once to the mailbox %s', async (_whose, ofKim, ofLee) => {
    const { request, customerId, on, received } = await aNoticedContract(world)
    const add = (name: string, email: string) =>
      asSubscriber(request, (ctx) => addContact(ctx, AddContact.parse({ id: customerId, name, email })))
    await add('Kim', ofKim)
    const lee = await add('Lee', ofLee)
    await on('2026-03-06')
    expect(toCustomer(received)).toHaveLength(2)
    await asSubscriber(request, (ctx) => makeFirst(ctx, lee))
    for (const day of ['2026-03-07', '2026-03-08']) await on(day)
    expect(toCustomer(received)).toHaveLength(2)
  })

  test('is never sent after its window has closed', async () => {
    const { on, notices, fail, list } = await aNoticedContract(world)
    fail(Object.assign(new Error('later'), { responseCode: 451, response: '451 later' }))
    await on('2026-03-21')
    fail()
    expect((await on('2026-03-22')).filter(({ subject }) => subject.startsWith('Notice'))).toEqual([])
    expect(await notices()).toMatchObject([{ state: 'skipped', reason: 'too_late' }])
    expect((await list('missed', '2026-03-22')).rows).toMatchObject([{ customerName: 'Harbor', email: null }])
  })

  test('is not sent once the contract no longer renews by itself', async () => {
    const { request, id, on, notices, fail } = await aNoticedContract(world)
    fail(Object.assign(new Error('later'), { responseCode: 451, response: '451 later' }))
    await on('2026-03-06')
    const changed = UpdateContract.parse({ id, renews: 'by_agreement' })
    await asSubscriber(request, (ctx) => updateContract(ctx, changed))
    fail()
    await on('2026-03-07')
    expect(await notices()).toMatchObject([{ state: 'skipped', reason: 'not_due' }])
  })
})

describe("a text of one's own", () => {
  test('has to say all that a rule can require', () => {
    const text = { kind: 'notice', subject: 'Notice', body: '{{renewal}} {{price}}' }
    expect(WriteText.safeParse(text).error?.issues).toMatchObject([
      {
        path: ['body'],
        message:
          'A notice has to say all that a rule can require. Add {{noticeDate}} (the last day to decline), {{decline}} (how to decline)',
      },
    ])
    expect(WriteText.safeParse({ ...text, body: '{{renewal}} {{price}} {{decline}}' }).success).toBe(true)
  })

  test.each(['{{newAmount}}', '{{amount}} {{newAmount}}', '{{amount}} {{newAmount}} {{newCycle}}'])(
    'with %s does not say by how much the price rises',
    (price) => {
      const text = { kind: 'notice', subject: 'Notice', body: `{{renewal}} ${price} {{decline}}` }
      expect(WriteText.safeParse(text).error?.issues).toMatchObject([
        {
          path: ['body'],
          message:
            'A notice has to say all that a rule can require. Add {{price}} (the price now and in the next term)',
        },
      ])
      expect(SavedText.safeParse(text).success).toBe(true)
    },
  )

  test('can say the price now and in the next term in words of its own, whether or not it changes', async () => {
    const { request, on } = await aNoticedContract(world)
    const price = 'Now {{amount}} ({{cycle}}), from the next term {{newAmount}} ({{newCycle}}).'
    const body = `{{renewal}} ${price} {{decline}}`
    const text = WriteText.parse({ kind: 'notice', subject: 'Our notice', body })
    await asSubscriber(request, (ctx) => saveText(ctx, text))
    const [mail] = await on('2026-03-06')
    expect(mail?.text).toContain('Now $1,200.00 (yearly), from the next term $1,200.00 (yearly).')
  })

  test('is what the customer gets', async () => {
    const { request, on } = await aNoticedContract(world)
    const text = WriteText.parse({
      kind: 'notice',
      subject: 'Our notice',
      body: 'Now: {{renewal}} {{price}} {{decline}}',
    })
    await asSubscriber(request, (ctx) => saveText(ctx, text))
    const [mail] = await on('2026-03-06')
    expect(mail?.subject).toBe('Our notice')
    expect(mail?.text).toContain('Now: It renews automatically on April 5, 2026 unless you decline.')
  })
})
