import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { holdStatement } from '#support/held-rows.ts'
import { lostConnection, noMailServer } from '#support/mailbox.ts'
import { aNoticedAccount } from '#support/noticed-contract.ts'
import { asSubscriber, useWorld } from '#support/world.ts'
import { mailNoticeWarnings } from './mail-notice-warnings.ts'

const world = useWorld()

const anAccount = () => aNoticedAccount(world, { rule: { means: ['letter'] } })

/** An account whose email of March 14 has not been sent yet, and processes that email its owner by mailers of their own. */
async function anUnsentEmail() {
  const account = await anAccount()
  const { warnedOn, fail, ctx } = account
  await warnedOn('2026-03-13')
  fail(noMailServer())
  await warnedOn('2026-03-14')
  fail()
  const { mailer } = ctx.services
  const mailAt = (hour: string, send: Mailer['send']) => {
    const now = () => new Date(`2026-03-14T${hour}:00Z`)
    return mailNoticeWarnings({ ...ctx, services: { ...ctx.services, now, mailer: { ...mailer, send } } })
  }
  return { ...account, mailer, mailAt }
}

test('of two processes that email at once one does, so that the other cannot undo what is noted of the email', async () => {
  const { warnedOn, add, sent, mailer, mailAt } = await anUnsentEmail()
  const sending = Promise.withResolvers<void>()
  const otherIsDone = Promise.withResolvers<void>()
  const tried: unknown[] = []
  await using planning = await holdStatement(world, 'select from reminder_schedules for update')
  const first = mailAt('13:00', async (message) => {
    sending.resolve()
    await otherIsDone.promise
    return mailer.send(message)
  })
  await planning.waitedFor(1)
  const second = mailAt('13:00', async ({ key }) => {
    tried.push(key)
    throw noMailServer()
  })
  await planning.waitedFor(2)
  await planning.release()
  await Promise.all([sending.promise, second])
  otherIsDone.resolve()
  await first
  expect(sent()).toHaveLength(1)
  await add('Mill', '2026-04-04')
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
  expect(tried).toEqual([])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
})

test('an email of a process that was killed is sent again after five minutes, under the same Message-ID', async () => {
  const { warnedOn, sent, mailer, mailAt } = await anUnsentEmail()
  const killed = Promise.withResolvers<never>()
  const isSent = Promise.withResolvers<void>()
  void mailAt('13:00', async (message) => {
    await mailer.send(message)
    isSent.resolve()
    return killed.promise
  })
  await isSent.promise
  const [first] = sent()
  expect(await warnedOn('2026-03-14', '13:04')).toEqual([])
  expect(await warnedOn('2026-03-14', '13:05')).toMatchObject([
    { subject: first?.subject, messageId: first?.messageId },
  ])
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
})

test('of two emails that may have been sent one is sent again a day', async () => {
  const { warnedOn, add, fail } = await anAccount()
  await warnedOn('2026-03-13')
  fail(lostConnection())
  await warnedOn('2026-03-14')
  // It does not wait for the other, as a window closes that day.
  await add('Quay', '2026-03-29')
  await add('Rye', '2026-04-03')
  await warnedOn('2026-03-14', '13:00')
  fail()
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Harbor has not been told yet/) },
  ])
  expect(await warnedOn('2026-03-15', '12:01')).toEqual([])
  expect(await warnedOn('2026-03-16')).toMatchObject([{ subject: expect.stringMatching(/^Rye has not been told yet/) }])
})

test('an email that may have been sent stays as it was also where it is certainly not sent the next time', async () => {
  const { warnedOn, add, fail, tried } = await anAccount()
  await warnedOn('2026-03-13')
  fail(lostConnection())
  await warnedOn('2026-03-14')
  const [first] = tried.slice(-1)
  await add('Mill', '2026-04-04')
  fail(noMailServer())
  await warnedOn('2026-03-14', '18:00')
  fail()
  expect(await warnedOn('2026-03-14', '18:15')).toMatchObject([
    { subject: expect.stringMatching(/^Harbor has not been told yet/), messageId: first },
  ])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
})

test('an email counts for its day also where another is not sent while the clock is behind', async () => {
  const { warnedOn, add, fail, request, id } = await anAccount()
  await warnedOn('2026-03-13')
  expect(await warnedOn('2026-03-14')).toHaveLength(1)
  await asSubscriber(request, (ctx) => updateContract(ctx, { id, renews: 'by_agreement' }))
  fail(noMailServer())
  await warnedOn('2026-03-13', '18:00')
  await add('Mill', '2026-04-04')
  await warnedOn('2026-03-13', '18:10')
  fail()
  expect(await warnedOn('2026-03-14', '18:00')).toEqual([])
  expect(await warnedOn('2026-03-15')).toMatchObject([
    { subject: expect.stringMatching(/^Mill has not been told yet/) },
  ])
})

test('an owner is not emailed about a former window of a contract', async () => {
  const { warnedOn, fail, request, id } = await anAccount()
  await warnedOn('2026-03-13')
  fail(noMailServer())
  await warnedOn('2026-03-21', '20:00')
  await asSubscriber(request, (ctx) => updateContract(ctx, { id, renewalDate: toDay('2026-04-08') }))
  fail()
  expect(await warnedOn('2026-03-22')).toMatchObject([
    { subject: expect.stringMatching(/^Harbor has not been told yet.*March 24/) },
  ])
})
