import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import type { SaveContractSettings } from '#shared/schemas/reminders.ts'
import type { RequestContext } from '#server/context.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { endContract } from '#server/contracts/renewals.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { announceImportMail } from '#server/reminders/announced-imports.service.ts'
import { contractReminders, muteContract, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aMailbox } from '#support/mailbox.ts'
import { useReminderDays } from '#support/reminder-days.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const days = useReminderDays(world)
const { mailer, received } = aMailbox()
const server = useApp(world, { mailer, now: days.now })

const HEAD = 'Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status'
const TERMS = { amount: 100, startDate: '2025-03-01', renewalCycle: 'yearly', status: 'active' }
const CUSTOMER = 'orders@harbor.test'
const PASSED = '2026-03-08'
const NEAR = '2026-03-24'

beforeEach(() => {
  received.length = 0
})

const sentTo = (address: string) => received.filter(({ to }) => to.includes(address)).length
const ownerOf = ({ caller }: RequestContext) => `${caller?.clerkUserId}@example.com`

async function aCompany() {
  const request = await anAccount(world, { services: { mailer, now: days.now } })
  const { id: customerId } = await aCustomer(request, { customerNumber: 'C-1', email: CUSTOMER })
  return { request, customerId }
}

/** Days before the renewal date between which notice has to be given by email: of contracts with a tag, or of all. */
async function aRule(request: RequestContext, { from, until, tag }: { from: number; until: number; tag?: string }) {
  if (tag) await aContract(request, { tags: [tag], renewalDate: '2029-03-01' })
  const own = { name: `Rule ${from}`, unit: 'days', from, until, countedFrom: 'renewal_date', means: ['email'] }
  const rule = MakeNoticeRule.parse({ ...own, contents: [] })
  const { id } = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, rule))
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: id, tag })))
}

/** A contract's own reminder settings, as far as they are given. */
function saveOwn(request: RequestContext, own: Partial<SaveContractSettings> & { id: number }) {
  const inherited = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }
  return asSubscriber(request, (ctx) => saveContractSettings(ctx, { ...inherited, ...own }))
}

type Company = Awaited<ReturnType<typeof aCompany>>

/** The ways in which a renewal date comes in over REST. Each resolves to the status, the answer and the contract. */
const WAYS = {
  'POST /contracts': async ({ request, customerId }: Company, renewalDate: string, query: string) => {
    const payload = { ...TERMS, customerId, renewalDate }
    const url = `/contracts${query}`
    const answer = await call(server, { method: 'POST', url, headers: bearer(request), payload })
    return { ...answer, id: Number(answer.body.id) }
  },
  'PUT /contracts/{id}': async ({ request, customerId }: Company, renewalDate: string, query: string) => {
    const { id } = await aContract(request, { ...TERMS, customerId, renewalDate: '2027-03-01' })
    const url = `/contracts/${id}${query}`
    return { ...(await call(server, { method: 'PUT', url, headers: bearer(request), payload: { renewalDate } })), id }
  },
  'POST /contracts/{id}/reopen': async ({ request, customerId }: Company, renewalDate: string, query: string) => {
    const { id } = await aContract(request, { ...TERMS, customerId, renewalDate, status: 'cancelled' })
    const url = `/contracts/${id}/reopen${query}`
    return { ...(await call(server, { method: 'POST', url, headers: bearer(request), payload: {} })), id }
  },
  'POST /contracts/bulk-upload': async ({ request }: Company, renewalDate: string, query: string) => {
    const content = `${HEAD}\nC-1,100,2025-03-01,yearly,${renewalDate},active\n`
    const answer = await upload(server, request, { url: `/contracts/bulk-upload${query}`, content })
    const list = await call(server, { url: '/contracts', headers: bearer(request) })
    return { ...answer, id: Number(list.body[0]?.id) }
  },
}

const EACH = [
  ['POST /contracts', PASSED],
  ['POST /contracts', NEAR],
  ['PUT /contracts/{id}', PASSED],
  ['PUT /contracts/{id}', NEAR],
  ['POST /contracts/{id}/reopen', PASSED],
  ['POST /contracts/{id}/reopen', NEAR],
  ['POST /contracts/bulk-upload', PASSED],
  ['POST /contracts/bulk-upload', NEAR],
] as const
const ALL_WAYS = ['POST /contracts', 'PUT /contracts/{id}', 'POST /contracts/bulk-upload'] as const

describe('a renewal date that comes with ?reminders=off', () => {
  test.each(EACH)('%s, %s: the customer is sent nothing about it, the owner is', async (way, date) => {
    const company = await aCompany()
    const { status } = await WAYS[way](company, date, '?reminders=off')
    expect(status).toBeLessThan(300)
    await days.pass(company.request, 24)
    expect(sentTo(CUSTOMER)).toBe(0)
    expect(sentTo(ownerOf(company.request))).toBeGreaterThan(0)
  })

  test.each(EACH)('%s, %s: without it the customer is written to', async (way, date) => {
    const company = await aCompany()
    await WAYS[way](company, date, '')
    await days.pass(company.request, 24)
    expect(sentTo(CUSTOMER)).toBeGreaterThan(0)
  })

  test.each(ALL_WAYS)('%s: about the next one the customer is written to', async (way) => {
    const company = await aCompany()
    const { id } = await WAYS[way](company, PASSED, '?reminders=off')
    const next = { renewalDate: NEAR }
    await call(server, { method: 'PUT', url: `/contracts/${id}`, headers: bearer(company.request), payload: next })
    await days.pass(company.request, 10)
    expect(sentTo(CUSTOMER)).toBeGreaterThan(0)
  })

  test('stops what is already under way, and ?reminders=on takes it up again', async () => {
    const company = await aCompany()
    const { id } = await WAYS['POST /contracts'](company, NEAR, '')
    const say = (reminders: string) =>
      call(server, {
        method: 'PUT',
        url: `/contracts/${id}?reminders=${reminders}`,
        headers: bearer(company.request),
        payload: {},
      })
    await days.pass(company.request, 1)
    expect(sentTo(CUSTOMER)).toBe(1)
    expect(await say('off')).toMatchObject({ status: 200, body: { renewalDate: NEAR } })
    await days.pass(company.request, 8)
    expect(sentTo(CUSTOMER)).toBe(1)
    await say('on')
    await days.pass(company.request, 6)
    expect(sentTo(CUSTOMER)).toBe(3)
  })

  test.each(ALL_WAYS)('%s: another value is refused by name, and nothing is saved', async (way) => {
    const company = await aCompany()
    expect(await WAYS[way](company, NEAR, '?reminders=never')).toMatchObject({
      status: 400,
      body: { fields: { reminders: expect.stringMatching(/ust be on(?:,| or) off/) } },
    })
    expect(await WAYS[way](company, NEAR, '?reminders=off&reminders=on')).toMatchObject({ status: 400 })
    const list = await call(server, { url: `/contracts`, headers: bearer(company.request) })
    const saved = list.body.filter(({ renewalDate }: { renewalDate: string }) => renewalDate === NEAR)
    expect(saved).toEqual([])
  })
})

describe('what the contracts of a file would send', () => {
  const row = (date: string, customer = 'C-1') => `${customer},100,2025-03-01,yearly,${date},active\n`

  const aFile = (...rows: string[]) =>
    aFileOf(
      HEAD,
      rows.map((text) => text.trim()),
    )

  async function aFileOf(head: string, rows: string[]) {
    const company = await aCompany()
    const { request } = company
    const url = '/contracts/bulk-upload'
    const content = `${[head, ...rows].join('\n')}\n`
    return {
      ...company,
      send: (query: string) => upload(server, request, { url: url + query, content }),
      contracts: async () => (await call(server, { url: '/contracts', headers: bearer(request) })).body,
    }
  }

  test('is said before anything is written, and so it comes', async () => {
    const { request, send, contracts } = await aFile(
      ...[PASSED, NEAR, '2026-03-25', '2027-03-01'].map((date) => row(date)),
    )
    const { status, body } = await send('?reminders=ask')
    expect(status).toBe(409)
    expect(body).toEqual({
      error: 'Send emails to customers about these contracts?',
      refusal: 'IMPORT_SENDS_MAIL',
      question: {
        parameter: 'reminders',
        choices: [
          { value: 'on', label: 'Send emails' },
          { value: 'off', label: 'Do not send emails' },
        ],
        mail: {
          // 13 messages, of which 2 are to one reader on one day.
          emails: 12,
          customers: 1,
          isAll: true,
          first: ['2026-03-11', '2026-03-15', '2026-03-17', '2026-03-18', '2026-03-23'].map((day) => ({
            customerName: 'Acme Ltd',
            day,
          })),
        },
      },
    })
    await expect(contracts()).resolves.toEqual([])
    expect(await send('?reminders=on')).toMatchObject({ status: 200, body: { created: 4 } })
    await days.pass(request, 40)
    expect(sentTo(CUSTOMER)).toBe(12)
  })

  test('has the notices that rules ask for, each an email of its own, and so it comes', async () => {
    const { request, send } = await aFileOf(`${HEAD},Renews,Tags`, [
      `C-1,100,2025-03-01,yearly,2026-04-20,active,automatic,`,
      `C-1,100,2025-03-01,yearly,2026-04-20,active,automatic,`,
      `C-1,100,2025-03-01,yearly,2026-06-09,active,automatic,RETAIL`,
      `C-1,100,2025-03-01,yearly,2026-06-09,active,automatic,Other`,
      `C-1,100,2025-03-01,yearly,2026-04-20,active,by_agreement,`,
    ])
    await aRule(request, { from: 60, until: 35 })
    await aRule(request, { from: 95, until: 80, tag: 'Retail' })
    const { body } = await send('?reminders=ask')
    const today = { customerName: 'Acme Ltd', day: '2026-03-10' }
    expect(body.question.mail.first.slice(0, 3)).toEqual([today, today, today])
    await send('?reminders=on')
    await days.pass(request, 91)
    expect(received.filter(({ subject }) => subject.startsWith('Notice:'))).toHaveLength(4)
    expect(body.question.mail).toMatchObject({ emails: sentTo(CUSTOMER), customers: 1, isAll: true })
  })

  test('has no notices that are turned off with it', async () => {
    const { request, send } = await aFileOf(`${HEAD},Renews`, ['C-1,100,2025-03-01,yearly,2026-05-05,active,automatic'])
    await aRule(request, { from: 60, until: 35 })
    expect(await send('?reminders=off')).toMatchObject({ status: 200, body: { created: 1 } })
    await days.pass(request, 20)
    expect(sentTo(CUSTOMER)).toBe(0)
  })

  describe('has the notices that it brings of contracts that keep their dates', () => {
    const aFileThatKeepsDates = async () => {
      const { request, customerId, send } = await aFileOf(`Reference,${HEAD},Renews,Notice Period,Tags`, [
        'R-1,C-1,100,2025-03-01,yearly,2026-05-05,active,automatic,,',
        'R-2,C-1,100,2025-03-01,yearly,2026-06-09,active,automatic,,RETAIL',
        'R-3,C-1,150,2025-03-01,yearly,2026-05-06,active,automatic,,',
        'R-4,C-1,100,2025-03-01,yearly,2026-05-07,active,by_agreement,10 days,',
        'R-5,C-1,100,2025-03-01,yearly,2026-12-01,active,automatic,,',
      ])
      await aRule(request, { from: 60, until: 35 })
      await aRule(request, { from: 95, until: 80, tag: 'Retail' })
      const add = (reference: string, renewalDate: string, renews: 'automatic' | 'by_agreement') =>
        aContract(request, { ...TERMS, customerId, reference, renewalDate, renews })
      const first = await add('R-1', '2026-05-05', 'by_agreement')
      await add('R-2', '2026-06-09', 'automatic')
      await add('R-3', '2026-05-06', 'automatic')
      const other = await add('R-4', '2026-05-07', 'by_agreement')
      const later = await add('R-5', '2026-12-01', 'by_agreement')
      const isMuted = async ({ id }: { id: number }) =>
        (await contractReminders(requireReader(request), { id })).isMuted
      return {
        request,
        send: (reminders: string) => send(`?existing=update&reminders=${reminders}`),
        muted: () => Promise.all([first, other, later].map(isMuted)),
      }
    }
    const notices = () => received.filter(({ subject }) => subject.startsWith('Notice:')).map(({ text }) => text)

    test('and so they come, as well as all that goes out anyway', async () => {
      const { request, send } = await aFileThatKeepsDates()
      const today = { customerName: 'Acme Ltd', day: '2026-03-10' }
      expect((await send('ask')).body.question.mail).toEqual({
        emails: 2,
        customers: 1,
        isAll: true,
        first: [today, today],
      })
      expect(await send('on')).toMatchObject({ status: 200, body: { updated: 5 } })
      await days.passOn(request, 2)
      expect(notices()).toHaveLength(3)
    })

    test('and turned off with it they do not come, while others do', async () => {
      const { request, send, muted } = await aFileThatKeepsDates()
      expect(await send('off')).toMatchObject({ status: 200, body: { updated: 5 } })
      await expect(muted()).resolves.toEqual([true, false, true])
      await days.passOn(request, 2)
      expect(notices()).toEqual([expect.stringContaining('May 6, 2026')])
    })
  })

  test('has the notice of a contract that a file moves into its window, and so it comes', async () => {
    const { request, customerId, send } = await aFileOf(`Reference,${HEAD},Renews,Tags`, [
      'R-1,C-1,100,2025-03-01,yearly,2026-06-09,active,automatic,RETAIL',
    ])
    await aRule(request, { from: 95, until: 80, tag: 'Retail' })
    await aContract(request, { ...TERMS, customerId, reference: 'R-1', renewalDate: '2027-03-01', renews: 'automatic' })
    const { body } = await send('?existing=update&reminders=ask')
    expect(body.question.mail.first[0]).toEqual({ customerName: 'Acme Ltd', day: '2026-03-10' })
    await send('?existing=update&reminders=on')
    await days.passOn(request, 91)
    expect(body.question.mail).toMatchObject({ emails: sentTo(CUSTOMER), customers: 1, isAll: true })
  })

  test('is nothing about a contract that is set to end, which a file moves', async () => {
    const { request, customerId, send } = await aFileOf(`Reference,${HEAD},Renews`, [
      `R-1,C-1,100,2025-03-01,yearly,${NEAR},active,automatic`,
      `,C-1,100,2025-03-01,yearly,${NEAR},active,automatic`,
    ])
    await aRule(request, { from: 60, until: 5 })
    const terms = { ...TERMS, customerId, reference: 'R-1', renewalDate: '2027-03-01', renews: 'automatic' } as const
    const { id } = await aContract(request, terms)
    await asSubscriber(request, (ctx) => endContract(ctx, { id, reason: 'Price', on: toDay('2027-03-01') }))
    const { body } = await send('?existing=update&reminders=ask')
    // A notice and two reminders about the new one alone.
    expect(body.question.mail).toMatchObject({ emails: 3, customers: 1 })
  })

  test.each([
    ['that gets no reminders', { enableNotifications: false }, { emails: 2 }],
    ['that gets one reminder', { reminderDays: [7], followUpDays: [] }, { emails: 3 }],
  ])('has what is set for a contract %s, which a file moves, and so it comes', async (_which, own, { emails }) => {
    const { request, customerId, send } = await aFileOf(`Reference,${HEAD}`, [
      `R-1,C-1,100,2025-03-01,yearly,${NEAR},active`,
      `R-2,C-2,100,2025-03-01,yearly,${NEAR},active`,
    ])
    const { id: other } = await aCustomer(request, { customerNumber: 'C-2', email: 'other@harbor.test' })
    const terms = { ...TERMS, renewalDate: '2027-03-01' } as const
    const { id } = await aContract(request, { ...terms, customerId, reference: 'R-1' })
    const { id: otherId } = await aContract(request, { ...terms, customerId: other, reference: 'R-2' })
    await saveOwn(request, { id, ...own })
    await saveOwn(request, { id: otherId, reminderDays: [7, 1], followUpDays: [] })
    const { body } = await send('?existing=update&reminders=ask')
    expect(body.question.mail).toMatchObject({ emails })
    await send('?existing=update&reminders=on')
    await days.passOn(request, 30)
    expect(sentTo(CUSTOMER) + sentTo('other@harbor.test')).toBe(emails)
  })

  test('is nothing about a date to which a file moves a contract, and about which emails are turned off', async () => {
    const { request, customerId, send } = await aFileOf(`Reference,${HEAD}`, [
      `R-1,C-1,100,2025-03-01,yearly,${NEAR},active`,
    ])
    const { id } = await aContract(request, { ...TERMS, customerId, reference: 'R-1', renewalDate: NEAR } as const)
    await asSubscriber(request, (ctx) => muteContract(ctx, { id, reminders: 'off' }))
    await asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, renewalDate: '2027-03-01' })))
    expect(await send('?existing=update&reminders=ask')).toMatchObject({ status: 200, body: { updated: 1 } })
    await days.passOn(request, 30)
    expect(sentTo(CUSTOMER)).toBe(0)
  })

  test('is nothing once it is turned off', async () => {
    const { request, send } = await aFile(row(PASSED), row(NEAR))
    expect(await send('?reminders=ask')).toMatchObject({ status: 409 })
    expect(await send('?reminders=off')).toMatchObject({ status: 200, body: { created: 2 } })
    await days.pass(request, 20)
    expect([sentTo(CUSTOMER), sentTo(ownerOf(request)) > 0]).toEqual([0, true])
  })

  test.each([
    ['renew later', 'reminders=ask', row('2027-03-01')],
    ['are closed', 'reminders=ask', row(NEAR).replace('active', 'cancelled')],
    ['bring customers along', 'reminders=ask&createCustomers=true', row(NEAR).replace('C-1', 'C-9')],
    ['cannot be read', 'reminders=ask', row(NEAR).replace('100', 'much')],
    ['would send mail that nobody asks about', '', row(NEAR)],
  ])('is not asked about where they %s', async (_why, query, content) => {
    const { send } = await aFile(content)
    expect(await send(`?${query}`)).toMatchObject({ status: 200 })
  })

  test.each([
    ['has no address', { email: null }],
    ['wants no emails', { sendNotifications: false }],
    ['unsubscribed', { email: 'closed@harbor.test' }],
    ['gets no mail, as it bounced', { email: 'gone@harbor.test' }],
  ])('is nothing to a customer who %s', async (_why, change) => {
    const { request, send } = await aFile(row(NEAR, 'C-2'))
    const { accountId } = requireReader(request)
    await aCustomer(request, { customerNumber: 'C-2', email: 'c2@harbor.test', ...change })
    await world.db.writeAs(accountId, async (em) => {
      await em.execute(
        `insert into closed_addresses values (${accountId}, 'closed@harbor.test', 'unsubscribed', now())`,
      )
      await em.execute(
        `insert into bounced_addresses (account_id, address, bounced_at) values (${accountId}, 'gone@harbor.test', now())`,
      )
    })
    expect(await send('?reminders=ask')).toMatchObject({ status: 200, body: { created: 1 } })
  })

  test('is counted by reader, and not to customers of other accounts', async () => {
    const { request, send } = await aFile(row(NEAR), row(NEAR), row(NEAR, 'C-2'), row(NEAR, 'T-1'))
    await aCustomer(request, { name: 'Twin', customerNumber: 'C-2', email: CUSTOMER.toUpperCase() })
    await aCustomer(await anAccount(world), { customerNumber: 'T-1', email: 'theirs@harbor.test' })
    expect(await send('?reminders=ask')).toMatchObject({ body: { question: { mail: { emails: 5, customers: 1 } } } })
  })

  test.each([
    ['asked about', NEAR, 409],
    ['imported from its first row on where there is nothing to ask', '2027-03-01', 200],
  ])('of a file that a thread reads is %s', async (_what, date, status) => {
    const notes = 'x'.repeat(150_000)
    const { request } = await aCompany()
    const rows = Array.from({ length: 15 }, () => `${notes},${row(date)}`)
    const content = `Notes,${HEAD}\n${rows.join('')}`
    const answer = await upload(server, request, { url: '/contracts/bulk-upload?reminders=ask', content })
    expect(answer).toMatchObject({ status, body: status === 200 ? { created: 15, failed: 0 } : {} })
  })

  test('is counted until 5,000 contracts write, and then says that there may be more', async () => {
    const { request, customerId } = await aCompany()
    const contract = {
      customerId,
      customerName: 'Acme',
      sendNotifications: true,
      hasBounced: false,
      closed: null,
      status: 'active',
      renewalDate: toDay(NEAR),
    } as const
    const counted = (contracts: number) =>
      announceImportMail(
        requireReader(request),
        Readable.from([
          Array.from({ length: contracts }, (_, n) => ({ ...contract, email: `${n % 1000}@harbor.test` })),
        ]),
      )
    await expect(counted(4999)).resolves.toMatchObject({ emails: 5000, customers: 1000, isAll: true })
    await expect(counted(5000)).resolves.toMatchObject({ emails: 5000, customers: 1000, isAll: false })
  })
})

test('an email to each of two contacts is counted once, also about more contracts than half an email holds', async () => {
  const { request, customerId } = await aCompany()
  const reached = { sendNotifications: true, hasBounced: false, closed: null }
  const buyer = { ...reached, id: 1, name: 'Ada', email: 'ada@harbor.test', from: toDay('2026-03-01') }
  const contract = {
    ...reached,
    customerId,
    customerName: 'Acme',
    email: 'orders@harbor.test',
    contacts: [buyer],
    status: 'active',
    renewalDate: toDay(NEAR),
  } as const
  const contracts = Readable.from([Array.from({ length: 60 }, () => contract)])
  const mail = await announceImportMail(requireReader(request), contracts)
  expect(mail).toMatchObject({ emails: 10, customers: 2 })
})

test('an import of customers takes no ?reminders', async () => {
  const { request } = await aCompany()
  const url = '/customers/bulk-upload?reminders=off'
  expect(await upload(server, request, { url, content: 'Name\nHarbor Bakery\n' })).toMatchObject({
    status: 400,
    body: { fields: { reminders: 'Only for imports of contracts' } },
  })
})
