import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toDay, type Day } from '#shared/domain/day.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import type { NoticeList } from '#shared/schemas/notice-lists.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import type { RequestContext } from '#server/context.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { listReminders } from '#server/reminders/outbox.service.ts'
import { planAccounts } from '#server/reminders/plan-reminders.ts'
import { removeContractForGood } from '#server/trash/trash.service.ts'
import { holdRows } from '#support/held-rows.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'
import { noticeOfContract } from './contract-notice.service.ts'
import { listNotices } from './notices.service.ts'
import { postNotice, unpostNotice } from './post-notice.service.ts'

const world = useWorld()

const AUTOMATIC = { renews: 'automatic', renewalCycle: 'yearly', amount: 1200 } as const
const RULE = {
  name: 'Ours',
  unit: 'days',
  from: 30,
  until: 15,
  countedFrom: 'renewal_date',
  means: ['email', 'letter'],
}

/** An account whose contracts all follow a rule: 30 to 15 days before the renewal date, unless said otherwise. */
async function anAccountWithRule(changes: object = {}) {
  const request = await anAccount(world)
  const rule = MakeNoticeRule.parse({ ...RULE, ...changes })
  const { id } = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, rule))
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: id })))
  return { request, ruleId: id }
}

const at = (day: string) => fakeServices({ now: () => new Date(`${day}T12:00:00Z`) })
const plan = (request: RequestContext, day: string) =>
  planAccounts({ db: world.db, services: at(day) }, [request.caller?.id ?? 0])
const list = (request: RequestContext, show: NoticeList, today: Day = toDay('2026-03-10')) =>
  listNotices({ ...requireReader(request), today }, { show, limit: 100, skip: 0 })
const post = (request: RequestContext, input: object, today: Day = toDay('2026-03-10')) =>
  asSubscriber(request, (ctx) => postNotice({ ...ctx, today }, PostNotice.parse(input)))
const named = ({ rows }: { rows: { customerName: string }[] }) => rows.map(({ customerName }) => customerName)

async function aNoticed(request: RequestContext, name: string, renewalDate: string, changes: object = {}) {
  const { id: customerId } = await aCustomer(request, { name })
  return aContract(request, { ...AUTOMATIC, customerId, renewalDate, ...changes })
}

describe('notices that are due', () => {
  test('are those whose windows are open or open within 90 days, the first to close first, with what depends on them', async () => {
    const { request } = await anAccountWithRule()
    await aNoticed(request, 'Opens in 90 days', '2026-07-08')
    await aNoticed(request, 'Opens in 91 days', '2026-07-09')
    const { id } = await aNoticed(request, 'Closes today', '2026-03-25')
    const dearer = UpdateContract.parse({ id, nextAmount: 1300.5 })
    await asSubscriber(request, (ctx) => updateContract(ctx, dearer))
    await aNoticed(request, 'Closed yesterday', '2026-03-24')
    await aNoticed(request, 'By agreement', '2026-04-01', { renews: 'by_agreement' })
    const due = await list(request, 'due')
    expect(named(due)).toEqual(['Closes today', 'Opens in 90 days'])
    expect(due).toMatchObject({ total: 2, amount: 2500.5 })
    expect(due.rows[0]).toMatchObject({
      from: '2026-02-23',
      through: '2026-03-10',
      derivation: 'Between Feb 23, 2026 and Mar 10, 2026: 30 to 15 days before Mar 25, 2026, the renewal date',
      means: ['email', 'letter'],
      amount: 1300.5,
      consequence: 'The contract does not renew by itself',
    })
  })

  test('are none where no rule is chosen, or another account chose it', async () => {
    await anAccountWithRule()
    const request = await anAccount(world)
    await aNoticed(request, 'Free', '2026-04-01')
    expect(await list(request, 'due')).toMatchObject({ rows: [], total: 0, amount: 0 })
  })
})

describe('a letter', () => {
  test('that was posted within the window is notice given', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    await post(request, { id, on: '2026-03-09', mailNumber: '7020 1810' })
    expect(named(await list(request, 'due'))).toEqual([])
    expect((await list(request, 'given')).rows).toMatchObject([
      { contractId: id, postedOn: '2026-03-09', mailNumber: '7020 1810', through: '2026-03-17' },
    ])
    await asSubscriber(request, (ctx) => unpostNotice(ctx, { id }))
    expect(named(await list(request, 'due'))).toEqual(['Harbor'])
    await expect(asSubscriber(request, (ctx) => unpostNotice(ctx, { id }))).rejects.toMatchObject({
      key: 'NOTICE_NOT_POSTED',
    })
  })

  test('is given while the contract gets another customer', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Before', '2026-04-01')
    const { id: customerId } = await aCustomer(request, { name: 'After' })
    await using lock = await holdRows(world, 'contracts')
    const posted = post(request, { id, on: '2026-03-09' })
    await lock.waitedFor(1)
    await lock.holder.query('update contracts set customer_id = $1', [customerId])
    await lock.release()
    expect(await posted).toMatchObject({ customerName: 'After', postedOn: '2026-03-09' })
  })

  test('is refused outside its window, on a day to come, and where it does not count', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    for (const on of ['2026-03-01', '2026-03-11', '2026-03-18'])
      await expect(post(request, { id, on })).rejects.toMatchObject({ key: 'NOTICE_DAY_OUTSIDE' })
    const byEmail = await anAccountWithRule({ means: ['email'] })
    const other = await aNoticed(byEmail.request, 'Harbor', '2026-04-01')
    const wrong = post(byEmail.request, { id: other.id, on: '2026-03-09' })
    await expect(wrong).rejects.toMatchObject({ key: 'NOTICE_LETTER_DOES_NOT_COUNT' })
    const { id: agreed } = await aNoticed(request, 'Mill', '2026-04-01', { renews: 'by_agreement' })
    await expect(post(request, { id: agreed, on: '2026-03-09' })).rejects.toMatchObject({
      message: 'No notice is due for this contract: The contract does not renew automatically',
    })
  })

  test("for another account's contract is not found", async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    const other = await anAccountWithRule()
    await expect(post(other.request, { id, on: '2026-03-09' })).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
    await expect(asSubscriber(other.request, (ctx) => unpostNotice(ctx, { id }))).rejects.toMatchObject({
      key: 'CONTRACT_NOT_FOUND',
    })
  })
})

describe('the planner', () => {
  test('records a window that is open, and it is missed once it has closed without notice', async () => {
    const { request } = await anAccountWithRule()
    await aNoticed(request, 'Harbor', '2026-04-01')
    await plan(request, '2026-03-10')
    expect(named(await list(request, 'missed', toDay('2026-03-17')))).toEqual([])
    expect((await list(request, 'missed', toDay('2026-03-18'))).rows).toMatchObject([
      {
        customerName: 'Harbor',
        through: '2026-03-17',
        amount: 1200,
        consequence: 'The contract does not renew by itself',
      },
    ])
  })

  test('records one that opened and closed while nothing was planned', async () => {
    const { request } = await anAccountWithRule()
    await aNoticed(request, 'Harbor', '2026-05-01')
    await plan(request, '2026-03-10')
    await plan(request, '2026-04-20')
    expect(named(await list(request, 'missed', toDay('2026-04-20')))).toEqual(['Harbor'])
  })

  test('records none that had closed before a rule was chosen', async () => {
    const request = await anAccount(world)
    await aNoticed(request, 'Closed', '2026-04-01')
    await aNoticed(request, 'Open', '2026-04-02')
    await plan(request, '2026-03-17')
    const { id } = await asSubscriber(request, (ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse(RULE)))
    await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: id })))
    await plan(request, '2026-03-18')
    expect(named(await list(request, 'missed', toDay('2026-03-20')))).toEqual(['Open'])
  })

  test('does not call a window missed in which a letter was posted', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    await plan(request, '2026-03-10')
    await post(request, { id, on: '2026-03-10' })
    await plan(request, '2026-03-11')
    expect(named(await list(request, 'missed', toDay('2026-03-20')))).toEqual([])
    expect(named(await list(request, 'given', toDay('2026-03-20')))).toEqual(['Harbor'])
  })

  test('removes a window that no longer is one, and keeps up with one that has moved', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Ending', '2026-04-01')
    const { id: moved } = await aNoticed(request, 'Moved', '2026-04-01')
    await plan(request, '2026-03-10')
    const change = (input: object) => asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse(input)))
    await change({ id, renews: 'never' })
    await change({ id: moved, renewalDate: '2026-04-05' })
    await plan(request, '2026-03-11')
    expect((await list(request, 'missed', toDay('2026-04-01'))).rows).toMatchObject([
      { customerName: 'Moved', through: '2026-03-21', renewalDate: '2026-04-05' },
    ])
  })

  test('shows no window of a contract in the trash as missed, and again once it is restored', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    await plan(request, '2026-03-10')
    await plan(request, '2026-03-18')
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    expect(named(await list(request, 'missed', toDay('2026-03-18')))).toEqual([])
    const statement = sql`update contracts set deleted_at = null where id = ${id} returning id`
    await world.db.writeAs(request.caller?.id ?? 0, async (_em, write) => {
      await write(sql`select set_config('app.trash', 'on', true)`)
      await write(statement, z.object({ id: z.int() }))
    })
    expect(named(await list(request, 'missed', toDay('2026-03-18')))).toEqual(['Harbor'])
  })
})

describe("a contract's notice", () => {
  test('has its window, and how it was given once it was', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    const ofContract = () => noticeOfContract({ ...requireReader(request), today: toDay('2026-03-10') }, { id })
    expect(await ofContract()).toMatchObject({ notice: { from: '2026-03-02', warning: null }, isGiven: false })
    await plan(request, '2026-03-10')
    await post(request, { id, on: '2026-03-09', mailNumber: '7020' })
    expect(await ofContract()).toMatchObject({ notice: { postedOn: '2026-03-09', mailNumber: '7020' }, isGiven: true })
  })

  test('is none where no rule gives one, and that of another account is not found', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01', { renews: 'never' })
    expect(await noticeOfContract(requireReader(request), { id })).toEqual({ notice: null, isGiven: false })
    const other = await anAccount(world)
    await expect(noticeOfContract(requireReader(other), { id })).rejects.toMatchObject({ key: 'CONTRACT_NOT_FOUND' })
  })
})

describe('a letter in the ledger', () => {
  const letters = async (request: RequestContext) =>
    (await listReminders(requireReader(request), { limit: 10, skip: 0 })).rows.filter(({ kind }) => kind === 'letter')

  test('is there once it is marked as mailed, as it was, and corrected with it', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    await post(request, { id, on: '2026-03-09', mailNumber: '7020' })
    expect(await letters(request)).toMatchObject([
      {
        contractId: id,
        customerName: 'Harbor',
        recipient: 'customer',
        channel: 'letter',
        state: 'sent',
        day: '2026-03-09',
        mailNumber: '7020',
        subject: 'Notice: your contract renews on April 1, 2026',
        body: expect.stringMatching(
          /^Harbor\n\nMarch 9, 2026\n\nHello Harbor,\n\n[^]*reply to this letter by March 31, 2026/,
        ),
      },
    ])
    // What the letter said does not follow the contract.
    const [said] = await letters(request)
    await asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, nextAmount: 4321 })))
    await post(request, { id, on: '2026-03-09', mailNumber: '7021' })
    expect(await letters(request)).toMatchObject([{ mailNumber: '7021', body: said?.body, subject: said?.subject }])
    await post(request, { id, on: '2026-03-10' })
    expect(await letters(request)).toMatchObject([{ day: '2026-03-10', mailNumber: null, offset: 22 }])
  })

  test('can be noted after the window has closed, if it was mailed in time', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    await plan(request, '2026-03-20')
    const late = toDay('2026-03-20')
    await expect(post(request, { id, on: '2026-03-18' }, late)).rejects.toMatchObject({ key: 'NOTICE_DAY_OUTSIDE' })
    await post(request, { id, on: '2026-03-17' }, late)
    expect(await letters(request)).toMatchObject([{ day: '2026-03-17' }])
    expect(named(await list(request, 'missed', late))).toEqual([])
  })

  test('is removed where it was not mailed after all, and can be mailed again', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-01')
    await post(request, { id, on: '2026-03-09' })
    await asSubscriber(request, (ctx) => unpostNotice(ctx, { id }))
    expect(await letters(request)).toEqual([])
    await post(request, { id, on: '2026-03-10' })
    expect(await letters(request)).toHaveLength(1)
  })

  test('stays when its contract is deleted for good, and keeps no reminder from being planned', async () => {
    const { request } = await anAccountWithRule()
    const { id } = await aNoticed(request, 'Harbor', '2026-04-09')
    await post(request, { id, on: '2026-03-10' })
    await plan(request, '2026-03-10')
    const { rows } = await listReminders(requireReader(request), { limit: 10, skip: 0 })
    expect(rows.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(
      expect.arrayContaining(['letter letter', 'reminder in_app', 'reminder email']),
    )
    await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
    await asSubscriber(request, (ctx) => removeContractForGood(ctx, { id }))
    expect(await letters(request)).toMatchObject([{ contractId: null, customerName: 'Harbor' }])
  })
})
