import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AcceptAnswer, DeclineAnswer, ListAnswers, SaveContractAnswers } from '#shared/schemas/answers.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { addContact } from '#server/contacts/contacts.service.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { endContract, renewContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { IS_ANSWERED } from '#server/customer-answers/answer-settings.rows.ts'
import { saveContractAnswers } from '#server/customer-answers/answer-settings.service.ts'
import { acceptAnswer, declineAnswer, listAnswers, revokeLinks } from '#server/customer-answers/answers.service.ts'
import { acceptByHand } from '#server/renewals/accept-by-hand.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { LINK, PAGE } from '#support/answering.ts'
import { ADDRESS, MINUTE, useReminded } from '#support/reminded-customers.ts'
import { aCustomer, anAccount, asSubscriber, COMPANY, requireReader } from '#support/world.ts'

const { world, aReminded, open, answer, post } = useReminded()

describe('Renew', () => {
  test('waits for the owner, stops the reminders, and tells both by email', async () => {
    const reminded = await aReminded()
    const { link, contract, answers, notices, send, received, toCustomer, waiting } = reminded
    const before = await contract()
    const answered = await answer(link, 'renew', { words: 'Gladly' })
    expect(answered).toMatchObject({ statusCode: 303, headers: { location: link } })
    expect(await contract()).toEqual(before)
    expect(await answers()).toMatchObject([
      {
        choice: 'renew',
        state: 'waiting',
        words: 'Gladly',
        customerName: 'Harbor',
        address: ADDRESS,
        network: '203.0.113.0/24',
      },
    ])
    expect(await waiting()).toBe(1)
    expect(await notices()).toContainEqual(
      expect.objectContaining({ title: 'Harbor wants to renew', actionUrl: '/answers' }),
    )
    await send()
    expect(toCustomer().at(-1)?.subject).toBe(`Your answer about your contract with ${COMPANY}`)
    const owners = received.find(({ subject }) => subject === 'Harbor (Web hosting) wants to renew')
    expect(owners?.text).toContain('Message: Gladly')
    expect(owners?.text).toContain('Accept or decline: http://localhost:3000/answers')
    const mails = toCustomer().length
    await expect(sendReminder(reminded.request, { id: reminded.id })).rejects.toMatchObject({
      key: 'REMINDER_ANSWERED',
    })
    reminded.pass(8 * 24 * 60 * MINUTE)
    await reminded.plan()
    expect(toCustomer()).toHaveLength(mails)
    const skipped = (await reminded.rows()).filter(({ reason }) => reason === 'answered')
    expect(skipped).toMatchObject([{ recipient: 'customer', kind: 'follow_up', state: 'skipped' }])
  })

  test('takes effect at once where the account says so, with a calendar file', async () => {
    const { link, contract, answers, send, toCustomer, notices } = await aReminded(
      { nextAmount: 1300 },
      { renewal: 'at_once' },
    )
    await answer(link, 'renew')
    expect(await contract()).toMatchObject({ term: 2, renewalDate: '2027-03-17', amount: 1300, status: 'active' })
    expect(await answers()).toMatchObject([
      { state: 'done', agreed: { renewalDate: '2027-03-17', amount: 1300, renewalCycle: 'yearly' } },
    ])
    expect(await notices()).toContainEqual(
      expect.objectContaining({ message: 'The contract "Web hosting" has been renewed.' }),
    )
    await send()
    const mail = toCustomer().at(-1)
    expect(mail?.subject).toBe('Your contract is renewed until March 17, 2027')
    expect(mail?.files[0]).toContain('DTSTART;VALUE=DATE:20270317')
    expect((await open(link)).body).toContain('The contract is renewed until March 17, 2027 for $1,300.00 a year.')
  })

  test('has no links in the calendar file of an account that has not paid', async () => {
    const title = 'Pay at https://pay.example.com/now'
    const { link, send, toCustomer, request } = await aReminded({ title }, { renewal: 'at_once' })
    await world.db.writeAs(request.caller?.id ?? 0, (em) => em.execute(`update subscriptions set status = 'trialing'`))
    await answer(link, 'renew')
    await send()
    expect(toCustomer().at(-1)?.files[0]).toContain('SUMMARY:Pay at https: pay. example. com/now is due for renewal')
  })

  test("takes effect at once where the contract's own setting says so", async () => {
    const { link, contract, as, id } = await aReminded()
    const own = { hasLink: null, renewal: 'at_once', deadline: null, lateEnd: null, showsPdf: null }
    await as((ctx) => saveContractAnswers(ctx, SaveContractAnswers.parse({ id, ...own })))
    await answer(link, 'renew')
    expect(await contract()).toMatchObject({ term: 2 })
  })

  test('twice from one page, or from two contacts, is one answer', async () => {
    const reminded = await aReminded({}, { renewal: 'at_once' })
    const { link, contract, answers } = reminded
    const { body } = await open(`${link}/renew`)
    const fields = { choice: 'renew', page: PAGE.exec(body)?.[1] ?? '' }
    const both = await Promise.all([post(link, fields), post(link, fields)])
    expect(both.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([303, 303])
    expect(await contract()).toMatchObject({ term: 2 })
    expect(await answers()).toHaveLength(1)
  })

  test('accepted by the owner renews the contract and tells the customer', async () => {
    const { link, as, contract, newest, send, toCustomer, waiting } = await aReminded()
    await answer(link, 'renew')
    await send()
    const id = await newest()
    const accepted = await as((ctx) => acceptByHand(ctx, AcceptAnswer.parse({ id, reply: 'Thank you' })))
    const agreed = { renewalDate: '2027-03-17' }
    expect(accepted).toMatchObject({ state: 'accepted', reply: 'Thank you', agreed, emailsToday: [] })
    expect(await contract()).toMatchObject({ term: 2, renewalDate: '2027-03-17' })
    await send()
    expect(toCustomer().at(-1)?.subject).toBe('Your contract is renewed until March 17, 2027')
    expect(toCustomer().at(-1)?.text).toContain(`${COMPANY} wrote:\nThank you`)
    expect(toCustomer().at(-1)?.files).toHaveLength(1)
    expect(await waiting()).toBe(0)
    await expect(as((ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id })))).rejects.toMatchObject({
      key: 'ANSWER_DECIDED',
    })
  })

  test('accepted until a date with a reminder due today says who is reminded', async () => {
    const { link, as, newest, send, plan, toCustomer } = await aReminded()
    await answer(link, 'renew')
    await send()
    const input = AcceptAnswer.parse({ id: await newest(), renewalDate: '2026-04-09' })
    expect(await as((ctx) => acceptByHand(ctx, input))).toMatchObject({ emailsToday: [ADDRESS] })
    await plan()
    await send()
    expect(toCustomer().map(({ subject }) => subject)).toContain('Your contract is due for renewal on April 9, 2026')
  })

  test('declined by the owner changes nothing, and can be answered again', async () => {
    const { link, as, contract, answers, newest, send, toCustomer, plan, pass } = await aReminded()
    await answer(link, 'renew')
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: 'We stop this service' })))
    expect(await contract()).toMatchObject({ term: 1, status: 'active' })
    await send()
    expect(toCustomer().at(-1)?.text).toContain('We stop this service')
    expect((await open(link)).body).toContain('has declined your last answer')
    pass(8 * 24 * 60 * MINUTE)
    await plan()
    expect(toCustomer().at(-1)?.subject).toContain('was due for renewal')
    expect((await answer(link, 'end', { reason: 'Price' })).statusCode).toBe(303)
    expect(await answers()).toMatchObject([{ choice: 'end' }, { choice: 'renew', state: 'declined' }])
  })
})

test('a decision is told once the contract is restored, also where it has been renewed since', async () => {
  const { link, as, id, newest, send, toCustomer } = await aReminded()
  await answer(link, 'renew')
  await send()
  const answerId = await newest()
  await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id: answerId, reply: 'Call us first' })))
  await as((ctx) => renewContract(ctx, { id, term: 1 }))
  await as((ctx) => removeContract(ctx, { id }))
  await send()
  await as((ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
  await send()
  expect(toCustomer().at(-1)?.text).toContain('Call us first')
})

describe('Ask for a change', () => {
  test('waits with what was wished, and is accepted as wished or otherwise', async () => {
    const { link, as, contract, answers } = await aReminded()
    expect((await answer(link, 'change')).body).toContain('Please say what should change')
    const fields = { wishedAmount: '1,100.50', wishedDate: '2027-01-31', words: 'Less, please' }
    await answer(link, 'change', fields)
    const [given] = await answers()
    expect(given).toMatchObject({
      state: 'waiting',
      wishedAmount: 1100.5,
      wishedDate: '2027-01-31',
      words: 'Less, please',
    })
    await as((ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id: given?.id, amount: 1150 })))
    expect(await contract()).toMatchObject({ term: 2, amount: 1150, renewalDate: '2027-01-31' })
  })

  test('is refused for a day that is not after the renewal date', async () => {
    const { link } = await aReminded()
    expect((await answer(link, 'change', { wishedDate: '2026-03-17' })).body).toContain(
      'Choose a day after March 17, 2026',
    )
  })

  test('keeps what was entered where it is wrong', async () => {
    const { link, answers } = await aReminded()
    const refused = await answer(link, 'change', { wishedAmount: 'a lot', words: 'Keep <me>' })
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('Enter the amount as 1200.50')
    expect(refused.body).toContain('Keep &#60;me&#62;')
    expect(await answers()).toEqual([])
  })

  test('cannot be accepted once the contract has changed', async () => {
    const { link, as, id, answers, received, send } = await aReminded()
    await answer(link, 'change', { words: 'Less, please' })
    await send()
    await as((ctx) => renewContract(ctx, { id }))
    const [given] = await answers()
    expect(given).toMatchObject({ state: 'waiting', isOvertaken: true })
    const refused = as((ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id: given?.id })))
    await expect(refused).rejects.toMatchObject({ key: 'ANSWER_OVERTAKEN' })
    const mails = received.length
    const dismissed = await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id: given?.id })))
    expect(dismissed).toMatchObject({ state: 'overtaken', isOvertaken: false })
    await send()
    expect(received.slice(mails).map(({ subject }) => subject)).not.toContain(`${COMPANY} has declined your request`)
  })

  test('stops no reminders once the contract has changed: the new offer has a link, and can be answered', async () => {
    const { link, as, id, answers, pass, plan, waiting, toCustomer } = await aReminded()
    await answer(link, 'change', { words: 'Less, please' })
    const reminders = () => toCustomer().flatMap(({ text }) => LINK.exec(text)?.[1] ?? [])
    await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, amount: 1100 })))
    pass(8 * 24 * 60 * MINUTE)
    await plan()
    expect(reminders()).toHaveLength(2)
    const newest = reminders().at(-1) ?? ''
    expect(newest).not.toBe(link)
    const old = (await open(link)).body
    expect(old).toContain('Less, please')
    expect(old).toContain('has changed this contract since the message was sent')
    expect((await answer(newest, 'renew')).statusCode).toBe(303)
    expect(await answers()).toMatchObject([
      { choice: 'renew', state: 'waiting', isOvertaken: false },
      { choice: 'change', state: 'waiting', isOvertaken: true },
    ])
    expect(await waiting()).toBe(2)
    pass(3 * 24 * 60 * MINUTE)
    await plan()
    expect(reminders()).toHaveLength(2)
  })
})

test('what stops reminders is the offer that the contract has, in the database as in the rules', async () => {
  const { link, request, id } = await aReminded()
  await answer(link, 'renew')
  const accountId = request.caller?.id ?? 0
  const { id: otherId } = await aCustomer(request, { name: 'Other' })
  const changes = [
    'status = status',
    `customer_id = ${otherId}`,
    'amount_cents = amount_cents + 1',
    `renewal_cycle = 'monthly'`,
    'renewal_date = renewal_date + 1',
    `renews = 'automatic'`,
    `notice_period = '3 months'`,
    'next_amount_cents = 1',
    `next_cycle = 'monthly'`,
  ]
  const Found = z.object({ isAnswered: z.boolean() })
  for (const change of changes) {
    const found = world.db.writeAs(accountId, async (em, write) => {
      await em.execute(`update contracts set ${change} where id = ${id}`)
      const [row] = await write(sql`select ${IS_ANSWERED} as "isAnswered" from contracts k where k.id = ${id}`, Found)
      const { rows } = await listAnswers({ ...requireReader(request), read: write }, ListAnswers.parse({}))
      throw new Undone({ change, isAnswered: row?.isAnswered, isCurrent: !rows[0]?.isOvertaken })
    })
    const isCurrent = change === 'status = status'
    await expect(found).rejects.toMatchObject({ found: { change, isAnswered: isCurrent, isCurrent } })
  }
})

/** Rolls back what was found. */
class Undone extends Error {
  readonly found: object
  constructor(found: object) {
    super('Undone')
    this.found = found
  }
}

describe('Do not renew', () => {
  test('ends the contract on its renewal date, with the reason and the words', async () => {
    const { link, contract, answers, send, toCustomer } = await aReminded()
    expect((await answer(link, 'end')).body).toContain('Please choose a reason')
    await answer(link, 'end', { reason: 'price', words: 'Too much' })
    expect(await contract()).toMatchObject({ status: 'active', endsOn: '2026-03-17' })
    expect(await answers()).toMatchObject([{ state: 'done', reason: 'Price', agreed: { endsOn: '2026-03-17' } }])
    await send()
    expect(toCustomer().at(-1)?.subject).toBe('Your contract ends on March 17, 2026')
    expect(toCustomer().at(-1)?.files[0]).toContain('SUMMARY:Web hosting ends')
  })

  const LATE = { renews: 'automatic', noticePeriod: '10 days' } as const

  test('after the last day for notice is passed on, and ends the contract if the owner accepts', async () => {
    const { link, as, contract, answers, received, send } = await aReminded(LATE)
    expect((await open(link)).body).toContain('The last day to say no has passed')
    await answer(link, 'end', { reason: 'Service' })
    expect(await contract()).toMatchObject({ endsOn: null })
    const [given] = await answers()
    expect(given).toMatchObject({ state: 'waiting', isLate: true })
    await send()
    expect(received.find(({ subject }) => subject.includes('does not want to renew'))?.text).toContain(
      'The last day for notice has passed.',
    )
    await as((ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id: given?.id })))
    expect(await contract()).toMatchObject({ endsOn: '2026-03-17' })
  })

  test('after the last day for notice is refused where the account says so', async () => {
    const { link, answers } = await aReminded(LATE, { lateEnd: 'refuse' })
    const { body } = await open(link)
    expect(body).not.toContain(`href="${link}/end"`)
    const { body: form } = await open(`${link}/renew`)
    const refused = await post(link, { choice: 'end', reason: 'Price', page: PAGE.exec(form)?.[1] ?? '' })
    expect(refused.statusCode).toBe(409)
    expect(await answers()).toEqual([])
  })
})

describe('an answer can be changed', () => {
  test('once, within an hour: the first is undone', async () => {
    const { link, contract, answers, send, pass, toCustomer } = await aReminded({}, { renewal: 'at_once' })
    const before = await contract()
    await answer(link, 'renew')
    pass(59 * MINUTE)
    expect((await open(link)).body).toContain('Change your answer')
    await answer(link, 'end', { reason: 'Price' })
    expect(await contract()).toMatchObject({ term: 1, amount: before.amount, endsOn: '2026-03-17' })
    expect(await answers()).toMatchObject([
      { choice: 'end', state: 'done' },
      { choice: 'renew', state: 'withdrawn' },
    ])
    await send()
    expect(toCustomer().map(({ subject }) => subject)).not.toContain('Your contract is renewed until March 17, 2027')
    expect((await open(link)).body).not.toContain('Change your answer')
    expect((await answer(link, 'renew')).statusCode).toBe(409)
  })

  test('not after an hour, and not once the owner has decided otherwise', async () => {
    const late = await aReminded({}, { renewal: 'at_once' })
    await answer(late.link, 'renew')
    late.pass(60 * MINUTE)
    expect((await open(late.link)).body).not.toContain('Change your answer')
    expect((await answer(late.link, 'end', { reason: 'Price' })).statusCode).toBe(409)
    const edited = await aReminded({}, { renewal: 'at_once' })
    await answer(edited.link, 'renew')
    await edited.as((ctx) => updateContract(ctx, UpdateContract.parse({ id: edited.id, amount: 1 })))
    expect((await open(edited.link)).body).not.toContain('Change your answer')
    expect((await answer(edited.link, 'end', { reason: 'Price' })).statusCode).toBe(409)
  })

  test('and is asked for again once the owner has undone it: nobody is told of what is not so', async () => {
    const { link, as, id, send, toCustomer, answers, contract } = await aReminded({}, { renewal: 'at_once' })
    await answer(link, 'renew')
    await as((ctx) => undoDecision(ctx, { id }))
    await send()
    expect(toCustomer().map(({ subject }) => subject)).not.toContain('Your contract is renewed until March 17, 2027')
    expect((await open(link)).body).toContain('Your answer')
    expect((await answer(link, 'end', { reason: 'Price' })).statusCode).toBe(303)
    expect(await answers()).toMatchObject([{ choice: 'end', state: 'done' }, { choice: 'renew' }])
    expect(await contract()).toMatchObject({ endsOn: '2026-03-17' })
  })

  test('is not told once the owner has undone it and decided otherwise', async () => {
    const { link, as, id, send, toCustomer } = await aReminded({}, { renewal: 'at_once' })
    await answer(link, 'renew')
    await as((ctx) => undoDecision(ctx, { id }))
    await as((ctx) => endContract(ctx, { id, reason: 'Price', on: ctx.today }))
    const before = toCustomer().length
    await send()
    expect(toCustomer()).toHaveLength(before)
  })

  test('by nobody else: the link of another contact shows it', async () => {
    const reminded = await aReminded()
    const { link, as, customerId, pass, plan, received } = reminded
    await as((ctx) => addContact(ctx, AddContact.parse({ id: customerId, name: 'Ada', email: 'ada@harbor.test' })))
    pass(8 * 24 * 60 * MINUTE)
    await plan()
    const theirs = LINK.exec(received.find(({ to }) => to.includes('ada@harbor.test'))?.text ?? '')?.[1] ?? ''
    expect(theirs).not.toBe(link)
    await answer(link, 'renew')
    const { body } = await open(theirs)
    expect(body).toContain('has been told')
    expect(body).not.toContain('Change your answer')
    expect((await answer(theirs, 'end', { reason: 'Price' })).statusCode).toBe(409)
  })
})

test("another account's answers are not found, and its links of a contract stay", async () => {
  const { link, newest, id: contractId } = await aReminded()
  await answer(link, 'renew')
  const id = await newest()
  const other = await anAccount(world)
  expect((await listAnswers(requireReader(other), ListAnswers.parse({}))).rows).toEqual([])
  for (const act of [
    () => asSubscriber(other, (ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id }))),
    () => asSubscriber(other, (ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id }))),
  ])
    await expect(act()).rejects.toMatchObject({ key: 'ANSWER_NOT_FOUND' })
  const revoke = asSubscriber(other, (ctx) => revokeLinks(ctx, { id: contractId }))
  await expect(revoke).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
  expect((await open(link)).statusCode).toBe(200)
})
