import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { FOLLOW_UP_DAYS, REMINDER_DAYS } from '#shared/domain/reminder-preferences.ts'
import type { Random } from '#support/random.ts'

/** Days are counted from that of the act. Customers, contracts and rules are named by their places. */
export interface Drawn {
  /** Place in the list of time zones. */
  zone: number
  settings: { enableNotifications: boolean; reminderDays: number[]; followUpDays: number[]; hour: number }
  rules: object[]
  choices: { rule: number | 'none'; tag?: string; customer?: number; contract?: number }[]
  customers: DrawnCustomer[]
  contracts: DrawnContract[]
  past: DrawnEvent[]
  act: DrawnAct
}

interface DrawnCustomer {
  email: string | null
  sendNotifications: boolean
  tags: string[]
  contacts: { email: string | null; reminders: boolean }[]
}

export interface DrawnTerms {
  renewsIn: number
  renewalCycle: (typeof RENEWAL_CYCLES)[number]
  renews: (typeof RENEWS)[number]
  noticePeriod: string | null
  status: (typeof CONTRACT_STATUSES)[number]
  tags: string[]
}

export interface DrawnContract extends DrawnTerms {
  customer: number
  nextCycle: (typeof RENEWAL_CYCLES)[number] | null
  /** The step at which it is added. */
  at: number
}

export interface DrawnEvent {
  at: number
  kind: (typeof EVENTS)[number]
  contract: number
  days: number
  isFirst: boolean
}

export type DrawnAct =
  | { kind: 'add'; contract: Omit<DrawnContract, 'at' | 'nextCycle'> }
  | { kind: 'change'; contract: number; changes: Partial<DrawnTerms & Pick<DrawnContract, 'customer' | 'nextCycle'>> }
  | { kind: 'reopen'; contract: number }
  | { kind: 'import'; existing: 'add' | 'update'; added: (DrawnTerms & { customer: number })[]; moved: DrawnMove[] }
  | { kind: 'tag'; add: string[]; remove: string[]; contracts: number[] | null }

export interface DrawnMove {
  contract: number
  renewsIn: number
  changes: Partial<Pick<DrawnTerms, 'renews' | 'noticePeriod' | 'tags'>>
}

const EVENTS = [
  'end',
  'reopen',
  'mute',
  'own settings',
  'post',
  'bounce',
  'unsubscribe',
  'new address',
  'send by hand',
  'move',
  'move back',
  'renew',
  'skip',
  'snooze',
  'answer',
] as const
export const TAGS = ['North', 'Retail', 'VIP']
const PERIODS = [null, null, '10 days', '30 days', '1 month', '2 months']

/** An account with a past of so many steps, and what somebody is about to do in it. */
export function drawCase(random: Random, steps: number): Drawn {
  const customers = listOf(random.int(2, 3), (place) => drawCustomer(random, place))
  const some = () => random.int(0, customers.length - 1)
  const contracts = listOf(random.int(2, 4), () => ({
    ...drawTerms(random),
    customer: some(),
    nextCycle: random.chance(0.2) ? random.pick(RENEWAL_CYCLES) : null,
    at: random.chance(0.6) ? 0 : random.int(0, steps),
  }))
  const rules = listOf(random.int(1, 3), () => drawRule(random))
  const rule = (): number | 'none' => (random.chance(0.1) ? 'none' : random.int(0, rules.length - 1))
  const contract = () => random.int(0, contracts.length - 1)
  const choices: Drawn['choices'] = [
    ...(random.chance(0.45) ? [{ rule: rule() }] : []),
    ...TAGS.flatMap((tag) => (random.chance(0.6) ? [{ rule: rule(), tag }] : [])),
    ...(random.chance(0.15) ? [{ rule: rule(), customer: some() }] : []),
    ...(random.chance(0.15) ? [{ rule: rule(), contract: contract() }] : []),
  ]
  const act = drawAct(random, { customers, contracts })
  const happening = (kind: DrawnEvent['kind'], place: number): DrawnEvent => {
    const earliest = Math.max(contracts[place]?.at ?? 0, random.chance(0.4) ? steps - 3 : 0)
    const at = random.int(earliest, steps)
    return { at, kind, contract: place, days: random.int(0, 30), isFirst: random.chance(0.6) }
  }
  const past = listOf(random.int(0, 5), () => happening(random.pick(EVENTS), contract()))
  if (act.kind === 'reopen') past.push(happening('end', act.contract))
  return {
    zone: random.int(0, 7),
    settings: drawSettings(random),
    rules,
    choices: act.kind === 'tag' ? choices.filter(({ tag }) => tag !== undefined) : choices,
    customers,
    contracts,
    past: past.filter((event) => !isOvertaken(event, act)).toSorted((one, other) => one.at - other.at),
    act,
  }
}

/** Where a change that neither moves a contract nor reopens it makes an answer count no more, reminders go on unannounced. */
function isOvertaken({ kind, contract }: DrawnEvent, act: DrawnAct): boolean {
  if (kind !== 'answer' || act.kind !== 'change' || act.contract !== contract) return false
  return act.changes.renewsIn === undefined && act.changes.customer === undefined
}

function listOf<T>(count: number, draw: (place: number) => T): T[] {
  return Array.from({ length: count }, (_, place) => draw(place))
}

function drawSettings(random: Random): Drawn['settings'] {
  const isDefault = random.chance(0.7)
  return {
    enableNotifications: random.chance(0.93),
    reminderDays: isDefault ? [30, 14, 7, 1] : REMINDER_DAYS.filter(() => random.chance(0.5)),
    followUpDays: isDefault ? [1, 3, 7] : FOLLOW_UP_DAYS.filter(() => random.chance(0.5)),
    hour: random.pick([0, 6, 8, 10]),
  }
}

/** Some customers share an address, or have it twice. */
function drawCustomer(random: Random, place: number): DrawnCustomer {
  const address = () =>
    random.pick([`one${place}@x.test`, `one${place}@x.test`, `two${place}@x.test`, 'shared@x.test', null])
  return {
    email: random.chance(0.85) ? `one${place}@x.test` : address(),
    sendNotifications: random.chance(0.93),
    tags: someTags(random, 0.12),
    contacts: listOf(random.pick([0, 0, 1, 2]), () => ({ email: address(), reminders: random.chance(0.85) })),
  }
}

function drawTerms(random: Random): DrawnTerms {
  return {
    renewsIn: someDays(random),
    renewalCycle: random.pick(RENEWAL_CYCLES),
    renews: random.chance(0.7) ? 'automatic' : random.pick(RENEWS),
    noticePeriod: random.pick(PERIODS),
    status: random.chance(0.9) ? 'active' : random.pick(CONTRACT_STATUSES),
    tags: someTags(random, 0.25),
  }
}

function someDays(random: Random): number {
  return random.chance(0.8) ? random.int(-6, 50) : random.int(-40, 130)
}

function someTags(random: Random, share: number): string[] {
  return TAGS.filter(() => random.chance(share))
}

function drawRule(random: Random): object {
  const unit = random.chance(0.75) ? 'days' : 'months'
  // The first day of many is one on which a reminder is due as well.
  const days = random.chance(0.4) ? random.pick([14, 30]) : random.int(15, 60)
  const from = unit === 'days' ? days : random.int(1, 3)
  const countedFrom = random.pick(['renewal_date', 'renewal_date', 'last_day_for_notice'] as const)
  const until = random.int(1, unit === 'days' ? Math.floor(from / 3) : 1)
  const means = random.pick([['email'], ['email'], ['email', 'letter'], ['letter']])
  return { name: 'Ours', unit, from, until, countedFrom, means, contents: [], exceptMonthly: random.chance(0.25) }
}

interface Around {
  customers: DrawnCustomer[]
  contracts: DrawnContract[]
}

/** Has contracts be such that some acts bring something. */
function drawAct(random: Random, { customers, contracts }: Around): DrawnAct {
  const customer = () => random.int(0, customers.length - 1)
  const contract = random.int(0, contracts.length - 1)
  const some = () => contracts.map((_, place) => place).filter(() => random.chance(0.6))
  const share = random.share()
  if (share < 0.15) return { kind: 'add', contract: { ...drawTerms(random), customer: customer() } }
  if (share < 0.5) return { kind: 'change', contract, changes: drawChanges(random, customer) }
  if (share < 0.65) {
    Object.assign(contracts[contract] ?? {}, { status: 'active', renewsIn: random.int(0, 60) })
    return { kind: 'reopen', contract }
  }
  if (share < 0.85) {
    const added = listOf(random.int(0, 3), () => ({ ...drawTerms(random), customer: customer() }))
    const moved = some().map((place) => drawMove(random, place))
    return { kind: 'import', existing: random.pick(['add', 'update']), added, moved }
  }
  for (const one of contracts)
    if (random.chance(0.8)) Object.assign(one, { status: 'active', renews: 'automatic', renewsIn: random.int(2, 45) })
  const [add, remove] = [someTags(random, 0.5), someTags(random, 0.3)]
  const kept = remove.filter((tag) => !add.includes(tag))
  const changed = add.length + kept.length > 0 ? add : ['VIP']
  return { kind: 'tag', add: changed, remove: kept, contracts: random.chance(0.5) ? null : some() }
}

function drawChanges(random: Random, customer: () => number) {
  const { renewsIn, status: _status, tags, ...terms } = drawTerms(random)
  return {
    ...(random.chance(0.4) && { renewsIn }),
    ...(random.chance(0.12) && { customer: customer() }),
    ...(random.chance(0.2) && { status: random.pick([...CONTRACT_STATUSES, 'active', 'pending'] as const) }),
    ...(random.chance(0.3) && { renews: terms.renews }),
    ...(random.chance(0.25) && { noticePeriod: terms.noticePeriod }),
    ...(random.chance(0.25) && { renewalCycle: terms.renewalCycle }),
    ...(random.chance(0.25) && { nextCycle: random.pick([...RENEWAL_CYCLES, null]) }),
    ...(random.chance(0.3) && { tags: [...tags, 'North'].slice(0, 2) }),
  }
}

function drawMove(random: Random, contract: number): DrawnMove {
  const { renewsIn, renews, noticePeriod, tags } = drawTerms(random)
  return {
    contract,
    renewsIn,
    changes: {
      ...(random.chance(0.3) && { renews }),
      ...(random.chance(0.3) && noticePeriod !== null && { noticePeriod }),
      ...(random.chance(0.3) && tags.length > 0 && { tags }),
    },
  }
}
