import { toDay } from '#shared/domain/day.ts'
import { MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { NOTICE_PRESETS, type NoticePresetKey } from '#shared/domain/notice-presets.ts'
import { updateContract } from '#server/contracts/contracts.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import {
  adoptNoticeRule,
  changeNoticeRule,
  makeNoticeRule,
  removeNoticeRule,
} from '#server/notice-rules/notice-rules.service.ts'
import { postNotice, unpostNotice } from '#server/notices/post-notice.service.ts'
import type { Random } from '#support/random.ts'
import { momentOf, refusalOf } from './decisions.ts'
import { fault } from './fault.ts'
import { dayAt, daysLater, remember, type ModelAccount, type ModelContract, type ModelRule } from './model.ts'
import { CHOICE_KEYS, isIn, lacksNoticePeriod, ruleFor, windowKey, windowOf } from './notice-rules.ts'
import type { Play } from './play.ts'
import { WORDS, tagKey } from './tags.ts'
import { write } from './write.ts'

const MOST_RULES = 6
/** The laws, as their texts say; by email only where the customer has agreed. */
const LAWS: Record<NoticePresetKey, Omit<ModelRule, 'id'> & { mayBeEmail: boolean }> = {
  new_york_services: { ...law(30), exceptMonthly: true, mayBeEmail: false },
  new_york_leases: { ...law(30), mayBeEmail: false },
  wisconsin_business: { ...law(60), asksDelivery: false, mayBeEmail: true },
}

function law(from: number): Omit<ModelRule, 'id'> {
  const days = { unit: 'days', from, until: 15, countedFrom: 'last_day_for_notice' } as const
  return { ...days, means: ['letter'], exceptMonthly: false, asksDelivery: true, isOfLaw: true }
}

/** The owner makes, adopts, changes or removes a rule about notices, or chooses one for the account or a tag. */
export async function changeRules(play: Play, account: ModelAccount): Promise<void> {
  const share = play.random.share()
  if (share < 0.3 && account.rules.length < MOST_RULES) return makeRule(play, account)
  if (share < 0.4 && account.rules.length < MOST_RULES) return adoptRule(play, account)
  if (share < 0.55) return changeRule(play, account)
  if (share < 0.62) return removeRule(play, account)
  if (share < 0.8) return choose(play, account, { of: CHOICE_KEYS.account, input: {} })
  const tag = play.random.pick(WORDS)
  return choose(play, account, { of: CHOICE_KEYS.tag(tagKey(tag)), input: { tag } })
}

/** Rules with which an account begins. */
export async function beginWithRules(play: Play, account: ModelAccount): Promise<void> {
  await makeRule(play, account)
  await makeRule(play, account)
  if (play.random.chance(0.8)) await choose(play, account, { of: CHOICE_KEYS.account, input: {} }, false)
}

/** The owner chooses a rule for a contract or its customer, or the contract gets another notice period. */
export async function changeNoticeOf(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const { random, model } = play
  const { id, account, customer } = contract
  const share = random.share()
  if (share < 0.45) return choose(play, account, { of: CHOICE_KEYS.contract(id), input: { contractId: id } })
  if (share < 0.65)
    return choose(play, account, { of: CHOICE_KEYS.customer(customer.id), input: { customerId: customer.id } })
  const noticePeriod = random.pick(['5 days', '15 days', '30 days', '1 month', '2 months', null] as const)
  await write(account, (ctx) => updateContract(ctx, { id, noticePeriod }))
  contract.noticePeriod = noticePeriod
  model.notices.counts.periods += 1
  remember(model, id, `notice period ${noticePeriod}`)
}

function someRule(random: Random): Omit<ModelRule, 'id' | 'isOfLaw'> {
  const unit = random.chance(0.75) ? 'days' : 'months'
  const from = unit === 'days' ? random.int(4, 50) : random.int(1, 2)
  const countedFrom = random.pick(['renewal_date', 'renewal_date', 'last_day_for_notice'] as const)
  const least = countedFrom === 'renewal_date' ? 1 : 0
  const until = random.int(least, unit === 'days' ? Math.max(least, Math.floor(from / 2)) : 1)
  const means = random.pick([['email'], ['email'], ['email', 'letter'], ['letter']] as const)
  return { unit, from, until, countedFrom, means: [...means], exceptMonthly: random.chance(0.2), asksDelivery: false }
}

async function makeRule({ model, random }: Play, account: ModelAccount): Promise<void> {
  const rule = someRule(random)
  const input = MakeNoticeRule.parse({ ...rule, name: 'Our own', contents: random.pick([[], ['price']] as const) })
  const { id } = await write(account, (ctx) => makeNoticeRule(ctx, input))
  account.rules.push({ ...rule, id, isOfLaw: false })
  model.notices.counts.rules += 1
}

async function adoptRule({ model, random }: Play, account: ModelAccount): Promise<void> {
  const preset = random.pick(NOTICE_PRESETS)
  const emailAgreed = random.chance(0.4)
  const { mayBeEmail, ...rule } = LAWS[preset]
  let id = 0
  const work = write(account, async (ctx) => void ({ id } = await adoptNoticeRule(ctx, { preset, emailAgreed })))
  const refusal = await refusalOf(work)
  const expected = emailAgreed && !mayBeEmail ? 'NOTICE_EMAIL_DOES_NOT_COUNT' : undefined
  if (refusal !== expected)
    fault(model, `account ${account.id}: ${preset} was ${refusal ?? 'adopted'}, not ${expected}`)
  if (refusal !== undefined) return
  account.rules.push({ ...rule, id, means: emailAgreed ? ['email', ...rule.means] : rule.means })
  model.notices.counts.laws += 1
}

async function changeRule({ model, random }: Play, account: ModelAccount): Promise<void> {
  if (account.rules.length === 0) return
  const rule = random.pick(account.rules)
  const changed = someRule(random)
  const input = { ...MakeNoticeRule.parse({ ...changed, name: 'Changed' }), id: rule.id }
  const refusal = await refusalOf(write(account, (ctx) => changeNoticeRule(ctx, input)))
  const expected = rule.isOfLaw ? 'NOTICE_RULE_OF_LAW' : undefined
  if (refusal !== expected) fault(model, `rule ${rule.id}: was ${refusal ?? 'changed'}, not ${expected ?? 'changed'}`)
  if (refusal !== undefined) return
  Object.assign(rule, changed)
  model.notices.counts.rulesChanged += 1
}

async function removeRule({ model, random }: Play, account: ModelAccount): Promise<void> {
  if (account.rules.length === 0) return
  const { id } = random.pick(account.rules)
  await write(account, (ctx) => removeNoticeRule(ctx, { id }))
  account.rules = account.rules.filter((rule) => rule.id !== id)
  for (const [key, chosen] of account.choices) if (chosen === id) account.choices.delete(key)
  model.notices.counts.rulesRemoved += 1
}

const NOT_CHOSEN = { none: 'chosenNone', inherited: 'inherited' } as const

interface ChosenFor {
  of: string
  input: { contractId?: number; customerId?: number; tag?: string }
}

async function choose(
  { model, owner, random }: Play,
  account: ModelAccount,
  { of, input }: ChosenFor,
  isAny = true,
): Promise<void> {
  const ids = account.rules.map(({ id }) => id)
  const rule = random.pick([...ids, ...ids, ...(isAny || ids.length === 0 ? (['none', 'inherited'] as const) : [])])
  const isKnown = input.tag === undefined || (await hasTag(owner, account, input.tag))
  const refusal = await refusalOf(write(account, (ctx) => chooseNoticeRule(ctx, { ...input, rule })))
  const expected = isKnown ? undefined : 'TAG_NOT_FOUND'
  if (refusal !== expected) fault(model, `account ${account.id}: the rule for ${of} was ${refusal ?? 'chosen'}`)
  if (refusal !== undefined) return
  const { counts } = model.notices
  if (rule === 'inherited') account.choices.delete(of)
  else account.choices.set(of, rule === 'none' ? null : rule)
  counts[typeof rule === 'number' ? 'chosen' : NOT_CHOSEN[rule]] += 1
  if (input.contractId !== undefined) remember(model, input.contractId, `rule ${rule} chosen for it`)
}

async function hasTag(owner: Play['owner'], { id }: ModelAccount, tag: string): Promise<boolean> {
  const { rowCount } = await owner.query('select from tags where account_id = $1 and key = $2', [id, tagKey(tag)])
  return (rowCount ?? 0) > 0
}

/** The owner notes some letters as mailed, mostly where one is due, or withdraws that; also without access. */
export async function mailLetters(play: Play): Promise<void> {
  const { model, random } = play
  const live = [...model.contracts.values()].filter(({ deletion }) => !deletion)
  for (const contract of live) {
    const window = windowOf(contract)
    const isDue = window?.means.includes('letter') && isIn(window, dayAt(model.now, contract.account.timeZone))
    if (random.chance(isDue ? 0.03 : 0.0005)) await mailLetter(play, contract)
    else if (random.chance(0.01) && model.notices.recorded.get(windowKey(contract))?.postedOn)
      await withdrawLetter(play, contract)
  }
}

/** How a letter was delivered, and the number of its mail. */
const DELIVERIES = [
  { delivery: null, mailNumber: null },
  { delivery: null, mailNumber: '7020 1810' },
  { delivery: 'in_person', mailNumber: null },
  { delivery: 'certified_mail', mailNumber: '7020 1810' },
] as const

/** Now and then on a day on which it did not count, or in a way that does not. */
export async function mailLetter(play: Play, contract: ModelContract): Promise<void> {
  const { model, random } = play
  const { today } = momentOf(play, contract)
  const on = daysLater(today, random.pick([0, 0, 0, 0, -1, -2, -10, 1] as const))
  const delivered = random.pick(DELIVERIES)
  const input = { id: contract.id, on: toDay(on), ...delivered }
  const refusal = await refusalOf(write(contract.account, (ctx) => postNotice(ctx, input)))
  const window = windowOf(contract)
  const isOutside = window && (!isIn(window, on) || on > today)
  const countsNot = window?.means.includes('letter') ? undefined : 'NOTICE_LETTER_DOES_NOT_COUNT'
  const isUnsaid = delivered.delivery === null && delivered.mailNumber === null
  const lacksDelivery = isUnsaid && ruleFor(contract)?.asksDelivery ? 'NOTICE_DELIVERY_REQUIRED' : undefined
  const noWindow = lacksNoticePeriod(contract) ? 'NOTICE_WINDOW_NOT_COMPUTED' : 'NOTICE_NOT_DUE'
  const expected = window ? (countsNot ?? (isOutside ? 'NOTICE_DAY_OUTSIDE' : lacksDelivery)) : noWindow
  if (refusal !== expected)
    fault(
      model,
      `contract ${contract.id}: a letter on ${on} was ${refusal ?? 'noted'}, not ${expected ?? 'noted'}`,
      contract.id,
    )
  if (refusal !== undefined || !window) return void (model.notices.counts.postRefused += 1)
  const { term, renewalDate } = contract
  const key = windowKey(contract)
  const known = model.notices.recorded.get(key)
  if (known?.postedOn) known.postedOn = on
  else
    model.notices.recorded.set(key, {
      ...window,
      contract,
      term,
      renewalDate,
      postedOn: on,
      warned: known?.warned ?? null,
    })
  model.notices.counts.posted += 1
  remember(model, contract.id, `letter mailed on ${on}, window ${window.from} to ${window.through}`)
  await judgeLetter(play, contract)
}

async function withdrawLetter(play: Play, contract: ModelContract): Promise<void> {
  const { model } = play
  const { id } = contract
  const known = model.notices.recorded.get(windowKey(contract))
  const refusal = await refusalOf(write(contract.account, (ctx) => unpostNotice(ctx, { id })))
  if (refusal !== undefined) fault(model, `contract ${id}: its letter could not be withdrawn, ${refusal}`, id)
  if (known) known.postedOn = null
  model.notices.counts.unposted += 1
  remember(model, id, 'letter withdrawn')
  await judgeLetter(play, contract)
}

/** The ledger has the letter of the term while it is noted, with the day on which it was mailed. */
async function judgeLetter({ model, owner }: Play, contract: ModelContract): Promise<void> {
  const { id, term, renewalDate } = contract
  const { rows } = await owner.query<{ day: string }>(
    `select due_on::text as day from reminders
    where contract_id = $1 and term_number = $2 and renewal_date = $3 and kind = 'letter'`,
    [id, term, renewalDate],
  )
  const days = rows.map(({ day }) => day).join(', ')
  const expected = model.notices.recorded.get(windowKey(contract))?.postedOn ?? ''
  if (days !== expected) fault(model, `contract ${id}: the ledger has letters of ${days || 'no day'}`, id)
}
