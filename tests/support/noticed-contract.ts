import Fastify from 'fastify'
import { toDay } from '#shared/domain/day.ts'
import { PRESETS, type NoticePresetKey } from '#shared/domain/notice-presets.ts'
import { AdoptNoticeRule, ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { requireReader, type JobContext } from '#server/context.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { adoptNoticeRule, makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { mailNoticeWarnings } from '#server/notices/mail-notice-warnings.ts'
import { listNotices } from '#server/notices/notices.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { ledgerOf } from './ledger.ts'
import { aMailbox } from './mailbox.ts'
import { fakeServices } from './services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, type AccountOptions, type World } from './world.ts'

interface Given {
  rule?: object
  /** The law from which the rule is taken over, in place of a rule of the account's own. */
  law?: NoticePresetKey
  contract?: object
  email?: string | null
  account?: AccountOptions
}

/** An account with one contract that renews on April 5, of which a rule wants notice from March 6 to March 21. */
export async function aNoticedContract(
  world: World,
  { rule = {}, law, contract = {}, email = 'orders@harbor.test', account = {} }: Given = {},
) {
  const clock = { now: new Date('2026-03-05T12:00:00Z') }
  const { mailer, received, tried, fail } = aMailbox()
  const services = { now: () => clock.now, billingNow: () => clock.now, mailer }
  const request = await anAccount(world, { services, ...account })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor', email })
  const terms = { renews: 'automatic', renewalCycle: 'yearly', amount: 1200, renewalDate: '2026-04-05' } as const
  const { id } = await aContract(request, { customerId, ...terms, ...contract })
  const own = {
    name: 'Ours',
    unit: 'days',
    from: 30,
    until: 15,
    countedFrom: 'renewal_date',
    means: ['email'],
    ...rule,
  }
  const made = await asSubscriber(request, (ctx) =>
    law
      ? adoptNoticeRule(ctx, AdoptNoticeRule.parse({ preset: law, emailAgreed: PRESETS[law].emailMayBeAgreed }))
      : makeNoticeRule(ctx, MakeNoticeRule.parse(own)),
  )
  await asSubscriber(request, (ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse({ rule: made.id })))
  const ctx: JobContext = {
    db: world.db,
    services: fakeServices(services),
    log: Fastify().log,
    signal: new AbortController().signal,
  }
  const at = (day: string, hour: string) => (clock.now = new Date(`${day}T${hour}:00Z`))
  /** Plans and sends on a day, and returns what the customer got. */
  const on = async (day: string, hour = '12:00') => {
    at(day, hour)
    const before = received.length
    await planReminders(ctx)
    await sendReminders(ctx)
    return received.slice(before).filter(({ to }) => to.includes(email ?? '') || to.includes('new@harbor.test'))
  }
  /** Plans without sending on a day, and returns what the owner was warned of by email. */
  const warnedOn = async (day: string, hour = '12:00') => {
    at(day, hour)
    await planReminders(ctx)
    const before = received.length
    await mailNoticeWarnings(ctx)
    return received.slice(before).filter(({ to }) => to.includes(request.caller?.email ?? ''))
  }
  const notices = async () => (await ledgerOf(request)).filter(({ kind }) => kind === 'notice')
  const list = (show: 'due' | 'given' | 'missed', today: string) =>
    listNotices({ ...requireReader(request), today: toDay(today) }, { show, limit: 100, skip: 0 })
  return { request, id, customerId, on, warnedOn, notices, list, fail, received, tried, ctx }
}

/** The same, with other contracts whose windows close earlier or later than Harbor's, and what its owner was warned of by email. */
export async function aNoticedAccount(world: World, given: Given) {
  const noticed = await aNoticedContract(world, given)
  const add = async (name: string, renewalDate: string) => {
    const { id: customerId } = await aCustomer(noticed.request, { name })
    await aContract(noticed.request, { customerId, renews: 'automatic', renewalCycle: 'yearly', renewalDate })
  }
  const sent = () => noticed.received.filter(({ messageId }) => messageId.includes('notice-warnings'))
  return { ...noticed, add, sent }
}
