import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  AcceptAnswer,
  type AnswerSettings,
  DeclineAnswer,
  ListAnswers,
  SaveContractAnswers,
} from '#shared/schemas/answers.ts'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import { toDay } from '#shared/domain/day.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { addContact, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { getContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { endContract, renewContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { IS_ANSWERED } from '#server/customer-answers/answer-settings.rows.ts'
import { saveAnswerSettings, saveContractAnswers } from '#server/customer-answers/answer-settings.service.ts'
import {
  acceptAnswer,
  countWaiting,
  declineAnswer,
  listAnswers,
  revokeLinks,
} from '#server/customer-answers/answers.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aMailbox } from '#support/mailbox.ts'
import { notificationsOf } from '#support/notifications.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, COMPANY, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const NOON = new Date('2026-03-10T12:00:00Z')
const clock = { now: NOON }
beforeEach(() => void (clock.now = NOON))
const server = useApp(world, { now: () => clock.now, billingNow: () => clock.now })
const ADDRESS = 'orders@harbor.test'
const MINUTE = 60_000
const LINK = /http:\/\/localhost:3000(\/answer\/\S+)/

/** A contract that is due for renewal in a week, whose customer gets a reminder today. */
async function aReminded(
  { nextAmount, ...changes }: Parameters<typeof aContract>[1] & { nextAmount?: number } = {},
  settings: Partial<AnswerSettings> = {},
) {
  const mailbox = aMailbox()
  const services = fakeServices({ mailer: mailbox.mailer, now: () => clock.now, billingNow: () => clock.now })
  const request = await anAccount(world, { services })
  const job = { db: world.db, services, log: Fastify().log, signal: new AbortController().signal }
  const as = <Result>(work: Parameters<typeof asSubscriber<Result>>[1]) => asSubscriber(request, work)
  await as((ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, ...settings }))
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email: ADDRESS })
  const contract = {
    customerId,
    title: 'Web hosting',
    amount: 1200,
    renewalCycle: 'yearly',
    startDate: '2025-03-17',
  } as const
  const { id } = await aContract(request, { ...contract, renewalDate: '2026-03-17', ...changes })
  if (nextAmount !== undefined) await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, nextAmount })))
  const plan = async () => {
    await world.db.system.query('update reminder_schedules set next_plan_at = $1', [clock.now])
    await planReminders(job)
    await sendReminders(job)
  }
  await plan()
  const [link = ''] = mailbox.received.flatMap(({ text }) => LINK.exec(text)?.[1] ?? [])
  const read = () => requireReader(request)
  return {
    ...mailbox,
    request,
    as,
    id,
    customerId,
    link,
    plan,
    send: () => sendReminders(job),
    pass: (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms)),
    contract: () => getContract(read(), { id }),
    answers: async () => (await listAnswers(read(), ListAnswers.parse({}))).rows,
    newest: async () => (await listAnswers(read(), ListAnswers.parse({}))).rows[0]?.id ?? 0,
    waiting: async () => (await countWaiting(read())).count,
    notices: () => notificationsOf(request),
    toCustomer: () => mailbox.received.filter(({ to }) => to.includes(ADDRESS)),
    rows: () => ledgerOf(request),
  }
}

type Reminded = Awaited<ReturnType<typeof aReminded>>

async function open(url: string) {
  return server.app.inject({ url })
}

const PAGE = /name="page" value="([^"]+)"/

/** Opens one of the three answers, fills in its form, and sends it. */
async function answer(link: string, choice: string, fields: Record<string, string> = {}) {
  const { body } = await open(`${link}/${choice}`)
  return post(link, { choice, page: PAGE.exec(body)?.[1] ?? '', ...fields })
}

function post(link: string, fields: Record<string, string>) {
  return server.app.inject({
    method: 'POST',
    url: link,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}

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
        network: '127.0.0.0/24',
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
    const accepted = await as((ctx) => acceptAnswer(ctx, AcceptAnswer.parse({ id, reply: 'Thank you' })))
    expect(accepted).toMatchObject({ state: 'accepted', reply: 'Thank you', agreed: { renewalDate: '2027-03-17' } })
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

test('a message about an answer that there is not is skipped, and holds up no other', async () => {
  const { request, id, customerId, send, rows, link, toCustomer } = await aReminded()
  await answer(link, 'renew')
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on,
        recipient, channel, state, planned_at, next_attempt_at)
      values (?, ?, ?, 'Harbor', '2026-03-17', 'answer', 9, '2026-03-10', 'owner', 'email', 'planned', ?, ?)`,
      [request.caller?.id, id, customerId, NOON, NOON],
    ),
  )
  await send()
  expect((await rows()).find(({ offset }) => offset === 9)).toMatchObject({
    state: 'skipped',
    reason: 'answer_changed',
  })
  expect(toCustomer().at(-1)?.subject).toContain('Your answer about your contract')
})

describe('an email about an answer goes to nobody else', () => {
  test.each([
    [
      "the contract is another customer's by now",
      ['answer'],
      async ({ as, request, id }: Reminded) => {
        const { id: customerId } = await aCustomer(request, { name: 'Quay', email: 'cook@quay.test' })
        await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, customerId })))
      },
    ],
    [
      "the contract is another customer's by now, who has no address",
      ['answer'],
      async ({ as, request, id }: Reminded) => {
        const { id: customerId } = await aCustomer(request, { name: 'Quay' })
        await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, customerId })))
      },
    ],
    [
      'the contact has another address by now',
      ['answer', 'reply'],
      async ({ as, customerId }: Reminded) => {
        await as((ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email: 'cook@quay.test' })))
      },
    ],
  ] as const)('where %s, and the owner is told', async (_where, kinds, change) => {
    const reminded = await aReminded()
    const { link, as, newest, send, received, rows, notices } = reminded
    await answer(link, 'change', { words: 'We cannot pay more' })
    await change(reminded)
    await send()
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: 'We talked about that' })))
    await send()
    expect(received.filter(({ to }) => to.includes('cook@quay.test'))).toEqual([])
    const skipped = (await rows()).filter(({ reason }) => reason === 'reader_changed')
    expect(skipped.map(({ kind }) => kind).toSorted()).toEqual(kinds)
    for (const row of skipped) expect(row).toMatchObject({ recipient: 'customer', state: 'skipped' })
    const told = (await notices()).filter(({ title }) => title === 'An email to Harbor was not sent')
    const why = 'The contact who answered now has a different address, or the contract belongs to another customer.'
    const what = {
      answer: `The confirmation that their answer arrived was not sent to ${ADDRESS}. ${why}`,
      reply: `Your decision about their answer was not sent to ${ADDRESS}. ${why}`,
    }
    expect(told.map(({ message }) => message).toSorted()).toEqual(kinds.map((kind) => what[kind]))
    for (const { actionUrl } of told) expect(actionUrl).toBe(`/contracts?open=${reminded.id}`)
  })
})

describe('an email about an answer goes to whoever answered', () => {
  const ADA = 'ada@harbor.test'
  const REPLY = 'We talked about that'
  const words = 'We cannot pay more'

  /** A reminder was sent to the first contact and to Ada, who is another one, with a link for each. */
  async function aRemindedPair() {
    const reminded = await aReminded()
    const { as, customerId, pass, plan, received } = reminded
    const ada = await as((ctx) => addContact(ctx, AddContact.parse({ id: customerId, name: 'Ada', email: ADA })))
    pass(8 * 24 * 60 * MINUTE)
    await plan()
    const linkTo = (address: string) =>
      LINK.exec(received.findLast(({ to }) => to.includes(address))?.text ?? '')?.[1] ?? ''
    return { ...reminded, ada, linkOfFirst: linkTo(ADDRESS), linkOfAda: linkTo(ADA) }
  }

  async function decline({ as, newest, send }: Reminded) {
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: REPLY })))
    await send()
  }

  /** Where the emails to customers about answers went, and as which contact's they are in the ledger. */
  async function told({ rows, received }: Reminded) {
    const about = (await rows()).filter((row) => row.recipient === 'customer' && /answer|reply/.test(row.kind))
    return {
      rows: about.map(({ kind, state, address, contactId, contactName }) => [
        kind,
        state,
        address,
        contactId,
        contactName,
      ]),
      gotReply: received.filter(({ text }) => text.includes(REPLY)).flatMap(({ to }) => to),
    }
  }

  test('as another contact than the first', async () => {
    const reminded = await aRemindedPair()
    const { linkOfAda, ada, send } = reminded
    await answer(linkOfAda, 'change', { words })
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', ADA, ada.id, 'Ada'],
      ['reply', 'sent', ADA, ada.id, 'Ada'],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: [ADA] })
  })

  test.each([
    ['before any of it is sent', 'first'],
    ['before the decision', 'last'],
  ] as const)('as the first contact, where another one has been made the first %s', async (_when, sent) => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, send } = reminded
    await answer(linkOfFirst, 'change', { words })
    if (sent === 'last') await send()
    await as((ctx) => makeFirst(ctx, ada))
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', ADDRESS, ada.id, 'Harbor'],
      ['reply', 'sent', ADDRESS, ada.id, 'Harbor'],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: [ADDRESS] })
  })

  test('as another contact, which has been made the first since', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfAda, send } = reminded
    await answer(linkOfAda, 'change', { words })
    await as((ctx) => makeFirst(ctx, ada))
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', ADA, 0, null],
      ['reply', 'sent', ADA, 0, null],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: [ADA] })
  })

  test('who also can change the answer after another contact was made the first, as others can still answer', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, linkOfAda, rows } = reminded
    await answer(linkOfFirst, 'change', { words })
    await as((ctx) => makeFirst(ctx, ada))
    await answer(linkOfFirst, 'change', { words: 'Half as many seats' })
    expect((await rows()).filter(({ kind }) => kind === 'answer').length).toBeGreaterThan(2)
    await answer(linkOfAda, 'change', { words })
  })

  test('or to nobody where that contact is gone, and the owner is told', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfAda, send, notices, received } = reminded
    await answer(linkOfAda, 'change', { words })
    await send()
    await as((ctx) => removeContact(ctx, { id: ada.id }))
    await decline(reminded)
    expect(received.filter(({ text }) => text.includes(REPLY))).toEqual([])
    expect(await notices()).toContainEqual(
      expect.objectContaining({
        message: `Your decision about their answer was not sent to ${ADA}. This contact no longer gets reminders.`,
      }),
    )
  })

  test('and a decision that waits when another contact is made the first still arrives', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, newest, send } = reminded
    await answer(linkOfFirst, 'change', { words })
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: REPLY })))
    await as((ctx) => makeFirst(ctx, ada))
    await send()
    expect((await told(reminded)).gotReply).toEqual([ADDRESS])
  })

  test('whose address has only been written in another case since', async () => {
    const reminded = await aReminded()
    const { as, link, customerId, send } = reminded
    await answer(link, 'change', { words })
    const email = 'Orders@HARBOR.test'
    await as((ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email })))
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', email, 0, null],
      ['reply', 'sent', email, 0, null],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: ['Orders@harbor.test'] })
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
