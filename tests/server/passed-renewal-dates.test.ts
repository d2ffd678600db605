import { beforeEach, describe, expect, test } from 'vitest'
import { AnnounceMail } from '#shared/schemas/reminders.ts'
import { announceMail } from '#server/reminders/announced-mail.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { archiveOf, callerOf, importArchive } from '#support/archives.ts'
import { aMailbox } from '#support/mailbox.ts'
import { useReminderDays } from '#support/reminder-days.ts'
import { memoryFiles } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

// What is announced, sent and turned off about contracts that are renewed by themselves as soon as they come in, or are not
// any more.

const world = useWorld()
const days = useReminderDays(world)
const { mailer, received } = aMailbox()
const files = memoryFiles()
const server = useApp(world, { mailer, files, now: days.now })

const CUSTOMER = 'orders@harbor.test'
const TERMS = { amount: 100, startDate: '2025-02-24', renewalCycle: 'monthly', status: 'active', renews: 'automatic' }
/** On the day of the test it becomes March 24. */
const PASSED = '2026-02-24'
const BY_HAND = { ...TERMS, renews: 'by_agreement' }

beforeEach(() => {
  received.length = 0
})

const sentTo = (address: string) => received.filter(({ to }) => to.includes(address)).length

async function aCompany() {
  const request = await anAccount(world, { services: { mailer, files, now: days.now } })
  await days.begin(request)
  const { id: customerId } = await aCustomer(request, { customerNumber: 'C-1', email: CUSTOMER })
  const job = { ...request, signal: new AbortController().signal }
  const headers = bearer(request)
  const sendFile = async (
    query: string,
    { startDate = '2025-02-24', renewalDate = PASSED, renews = 'automatic', status = 'active' } = {},
  ) => {
    const content = `Reference,Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews
R-1,C-1,100,${startDate},monthly,${renewalDate},${status},${renews}`
    return upload(server, request, { url: `/contracts/bulk-upload${query}`, content })
  }
  return {
    request,
    customerId,
    sendFile,
    announced: (planned: object) =>
      announceMail(requireReader(request), AnnounceMail.parse({ ...TERMS, customerId, ...planned })),
    add: (terms: object, query = '') =>
      call(server, { method: 'POST', url: `/contracts${query}`, headers, payload: { ...terms, customerId } }),
    change: (id: unknown, payload: object, query = '') =>
      call(server, { method: 'PUT', url: `/contracts/${String(id)}${query}`, headers, payload }),
    renew: () => renewContracts({ ...job, db: world.db.as('job:renew-contracts') }),
    /** Plans and sends what is due now. */
    send: async () => {
      await world.db.system.query('update reminder_schedules set next_plan_at = $1', [days.now()])
      await planReminders(job)
      await sendReminders(job)
    },
    contract: async () => (await call(server, { url: '/contracts', headers })).body[0],
  }
}

type Company = Awaited<ReturnType<typeof aCompany>>

const ofOwner = ({ request }: Company) => sentTo(`${request.caller?.clerkUserId}@example.com`)

/** The ways in which such a contract comes in. */
const WAYS = {
  'a new one': ({ add }: Company, query: string) => add({ ...TERMS, renewalDate: PASSED }, query),
  'one that is moved': async ({ add, change }: Company, query: string) => {
    const { body } = await add({ ...TERMS, renewalDate: '2027-02-24' })
    return change(body.id, { renewalDate: PASSED }, query)
  },
  'one that renews automatically from now on': async ({ add, change }: Company, query: string) => {
    const { body } = await add({ ...BY_HAND, renewalDate: PASSED })
    return change(body.id, { renews: 'automatic' }, query)
  },
  'one of a file': ({ sendFile }: Company, query: string) => sendFile(query),
  'one that a file makes renew automatically': async ({ add, sendFile }: Company, query: string) => {
    await add({ ...BY_HAND, renewalDate: PASSED, reference: 'R-1' })
    return sendFile(`${query}${query ? '&' : '?'}existing=update`)
  },
}
type Way = keyof typeof WAYS
const EACH: Way[] = [
  'a new one',
  'one that is moved',
  'one that renews automatically from now on',
  'one of a file',
  'one that a file makes renew automatically',
]

describe('a contract that renews automatically, with a renewal date that has passed', () => {
  test.each(EACH)('%s: the customer is written to about its next renewal date', async (way) => {
    const company = await aCompany()
    expect(await WAYS[way](company, '')).toMatchObject({ status: expect.toBeOneOf([200, 201]) })
    await company.renew()
    await days.passOn(company.request, 14)
    expect(sentTo(CUSTOMER)).toBe(way.includes('file') ? 2 : 3)
  })

  test.each(EACH)('%s: with ?reminders=off only the owner is', async (way) => {
    const company = await aCompany()
    await WAYS[way](company, '?reminders=off')
    await company.renew()
    expect(await company.contract()).toMatchObject({ renewalDate: '2026-03-24', term: 2 })
    await days.passOn(company.request, 12)
    expect(sentTo(CUSTOMER)).toBe(0)
    expect(ofOwner(company)).toBeGreaterThan(0)
  })

  test('is announced with the emails about its next renewal date', async () => {
    const { announced } = await aCompany()
    expect(await announced({ renewalDate: PASSED })).toEqual({ count: 3, first: '2026-03-10', isAddition: false })
    // On the last day of each month.
    expect(await announced({ renewalDate: '2026-02-28', startDate: '2025-01-31' })).toMatchObject({
      count: 3,
      first: '2026-03-17',
    })
  })

  test('is announced once its customer is to hear of another date, also where only its renewal changes', async () => {
    const { add, announced } = await aCompany()
    const { body } = await add({ ...BY_HAND, renewalDate: PASSED })
    const { id } = body
    expect(await announced({ id, renewalDate: PASSED, renews: 'automatic' })).toMatchObject({
      count: 3,
      isAddition: false,
    })
    expect(await announced({ id, renewalDate: PASSED, renews: 'by_agreement' })).toMatchObject({ count: 0 })
  })

  test.each(['never', 'automatic'])('but that renews %s and is held, or expires, is not', async (renews) => {
    const { add, announced, change } = await aCompany()
    expect(await announced({ renewalDate: PASSED, renews: 'never' })).toMatchObject({ count: 0, first: null })
    const { body } = await add({ ...BY_HAND, renewalDate: PASSED, status: 'cancelled' })
    await change(body.id, { status: 'active' })
    const asked = { id: body.id, renewalDate: PASSED, renews }
    expect(await announced(asked)).toEqual({ count: 0, first: null, isAddition: true })
  })

  test.each([
    ['', 'R-1'],
    ['&existing=update', 'other'],
    ['&existing=update', 'R-1'],
  ])('is asked about before a file is imported (%s, of %s)', async (query, reference) => {
    const { add, sendFile } = await aCompany()
    await add({ ...BY_HAND, renewalDate: PASSED, reference })
    const { status, body } = await sendFile(`?reminders=ask${query}`)
    expect([status, body.refusal]).toEqual([409, 'IMPORT_SENDS_MAIL'])
    expect(body.question.mail).toMatchObject({
      emails: 2,
      first: ['2026-03-17', '2026-03-23'].map((day) => ({ customerName: 'Acme Ltd', day })),
    })
  })

  test.each([
    ['a new one', [1, 1]],
    ['one of a file', [0, 0]],
    ['one that a file makes renew automatically', [0, 0]],
  ] as const)('%s: on the same day so many emails go to the customer and the owner: %j', async (way, emails) => {
    const company = await aCompany()
    await WAYS[way](company, '')
    await company.renew()
    expect(await company.contract()).toMatchObject({ renewalDate: '2026-03-24' })
    await company.send()
    expect([sentTo(CUSTOMER), ofOwner(company)]).toEqual(emails)
  })

  test.each([
    ['', 2],
    ['?reminders=off', 0],
  ])('is counted of an archive (%s): %i emails, and so they come', async (query, emails) => {
    const company = await aCompany()
    await company.add({ ...TERMS, renewalDate: PASSED })
    const archive = await archiveOf(server, company.request)
    const fresh = await anAccount(world, { company: null, services: { mailer, files, now: days.now } })
    const { body } = await importArchive(server, fresh, archive, query)
    expect(body.mail).toMatchObject({ emails })
    const job = { ...fresh, signal: new AbortController().signal }
    await world.db.system.query('delete from accounts where id = $1', [company.request.caller?.id])
    await renewContracts(job)
    await days.passOn(fresh, 14)
    expect(sentTo(CUSTOMER)).toBe(emails)
  })
})

describe('emails that are turned off with saving', () => {
  test('stay off if the renewal that follows is undone', async () => {
    const { request, add, renew } = await aCompany()
    const { body } = await add({ ...TERMS, renewalDate: '2026-03-08' }, '?reminders=off')
    await renew()
    await call(server, { method: 'POST', url: `/contracts/${body.id}/undo`, headers: bearer(request), payload: {} })
    await days.passOn(request, 10)
    expect(sentTo(CUSTOMER)).toBe(0)
  })

  test('are off for that renewal date alone if a renewal by hand is undone', async () => {
    const { request, add, change } = await aCompany()
    const { body } = await add({ ...BY_HAND, renewalDate: '2026-03-08', status: 'cancelled' })
    const decide = (act: string) =>
      call(server, { method: 'POST', url: `/contracts/${body.id}/${act}`, headers: bearer(request), payload: {} })
    await change(body.id, { status: 'active' })
    await decide('renew')
    await change(body.id, { title: 'Hosting' }, '?reminders=off')
    await decide('undo')
    await days.passOn(request, 14)
    expect(sentTo(CUSTOMER)).toBe(2)
  })

  test('stay off while the contract has not been renewed yet', async () => {
    const { add, renew, send } = await aCompany()
    await add({ ...TERMS, renewalDate: '2026-03-09' }, '?reminders=off')
    await send()
    await renew()
    await send()
    expect(sentTo(CUSTOMER)).toBe(0)
  })
})

describe('a contract too far behind to be renewed to a date in the future', () => {
  const BEHIND = { startDate: '2020-03-10', renewalDate: '2021-03-10' }

  test.each([
    ['', 3],
    ['?reminders=off', 0],
  ])(
    'waits for its owner, is asked about before it is imported, and sends so many follow-ups (%s): %i',
    async (query, sent) => {
      const company = await aCompany()
      const question = await company.sendFile('?reminders=ask', BEHIND)
      expect(question).toMatchObject({ status: 409, body: { question: { mail: { emails: 3 } } } })
      expect(await company.sendFile(query, BEHIND)).toMatchObject({ status: 200 })
      await company.renew()
      expect(await company.contract()).toMatchObject({ renewalDate: '2026-03-10', term: 61 })
      await days.passOn(company.request, 12)
      expect(sentTo(CUSTOMER)).toBe(sent)
    },
  )
})

test('the reminders of a contract as old as the calendar can be read: there are none until it is renewed', async () => {
  const { request, add } = await aCompany()
  const { body } = await add({ ...TERMS, startDate: '1900-01-01', renewalDate: '1900-01-01' })
  expect((await callerOf(request).reminders.ofContract({ id: body.id })).next).toEqual([])
})

test('a renewal by hand to a date that has passed tells which emails go out today about the next one', async () => {
  const { request, add, change } = await aCompany()
  const { body } = await add({ ...BY_HAND, renewalDate: '2026-01-24', status: 'cancelled' })
  await change(body.id, { status: 'active' })
  await change(body.id, { renews: 'automatic' })
  const headers = bearer(request)
  const renewed = await call(server, { method: 'POST', url: `/contracts/${body.id}/renew`, headers, payload: {} })
  expect(renewed.body).toMatchObject({ renewalDate: '2026-02-24', emailsToday: [CUSTOMER] })
})

describe('a contract that renews automatically later', () => {
  const LATER = '2026-03-24'

  test('has no follow-ups, neither announced nor listed', async () => {
    const { request, add, announced } = await aCompany()
    expect(await announced({ renewalDate: LATER })).toMatchObject({ count: 3, first: '2026-03-10' })
    const { body } = await add({ ...TERMS, renewalDate: LATER })
    const { next } = await callerOf(request).reminders.ofContract({ id: body.id })
    const listed = await callerOf(request).reminders.coming({ limit: 50 })
    for (const messages of [next, listed.rows])
      expect(new Set(messages.map(({ kind, offset }) => `${kind} ${offset}`))).toEqual(
        new Set(['reminder 14', 'reminder 7', 'reminder 1']),
      )
  })

  test('and waits for its owner from now on gets follow-ups, which are announced', async () => {
    const company = await aCompany()
    const { body } = await company.add({ ...TERMS, renewalDate: LATER })
    const planned = { id: body.id, renewalDate: LATER, renews: 'by_agreement' }
    expect(await company.announced(planned)).toEqual({ count: 3, first: '2026-03-25', isAddition: true })
    await company.change(body.id, { renews: 'by_agreement' })
    const saved = { ...planned, renews: undefined, before: { renews: 'automatic' } }
    expect(await company.announced(saved)).toMatchObject({ count: 3, first: '2026-03-25' })
    await days.passOn(company.request, 25)
    expect(sentTo(CUSTOMER)).toBe(6)
  })

  test.each([
    ['', 6],
    ['&reminders=off', 0],
  ])(
    'and waits for its owner by a file is asked about, and is silent with ?reminders=off (%s)',
    async (query, sent) => {
      const company = await aCompany()
      await company.add({ ...TERMS, renewalDate: LATER, reference: 'R-1' })
      const changed = { renewalDate: LATER, renews: 'by_agreement' }
      const { body } = await company.sendFile('?reminders=ask&existing=update', changed)
      expect(body.question.mail).toMatchObject({ emails: 3 })
      expect(await company.sendFile(`?existing=update${query}`, changed)).toMatchObject({ status: 200 })
      await days.passOn(company.request, 25)
      expect(sentTo(CUSTOMER)).toBe(sent)
    },
  )
})
