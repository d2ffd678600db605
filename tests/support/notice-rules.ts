import { addDays, dayIn, toDay } from '#shared/domain/day.ts'
import type { Outputs } from '#client/api/trpc.ts'

type Rules = Outputs['noticeRules']['list']

const TODAY = dayIn(new Date(), 'UTC')

export const ADVICE = 'This is not legal advice.'
export const OWN: Rules['rules'][number] = {
  id: 1,
  name: 'Ours',
  preset: null,
  citation: null,
  readOn: null,
  how: null,
  requiredMail: null,
  unit: 'days',
  from: 60,
  until: 30,
  countedFrom: 'renewal_date',
  means: ['email', 'letter'],
  contents: [],
  exceptMonthly: false,
  days: '60 to 30 days before the renewal date',
  consequence: 'The contract does not renew by itself',
}
export const LAW: Rules['rules'][number] = {
  ...OWN,
  id: 2,
  name: 'New York',
  preset: 'new_york_services',
  citation: 'New York General Obligations Law 5-903',
  readOn: toDay('2026-11-22'),
  how: 'By certified mail.',
  requiredMail: 'certified mail',
  means: ['letter'],
  days: '30 to 15 days before the last day for notice',
}
export const PRESET: Rules['presets'][number] = {
  preset: 'new_york_services',
  name: 'New York: service, maintenance or repair',
  citation: 'New York General Obligations Law 5-903',
  source: 'nysenate.gov',
  readOn: toDay('2026-11-22'),
  conditions: ['Contracts for service'],
  how: 'By certified mail.',
  requiredMail: 'certified mail',
  consequence: 'It cannot be enforced',
  emailMayBeAgreed: false,
  days: '30 to 15 days before the last day for notice',
}

export function rules(changes: Partial<Rules> = {}): Rules {
  return {
    rules: [OWN, LAW],
    chosen: { account: null, tags: [{ tag: 'Lease', rule: 2 }], customers: 1, contracts: 3 },
    presets: [PRESET],
    advice: ADVICE,
    ...changes,
  }
}

/** The window of a contract by the rule of a law. */
export const WINDOW: Outputs['noticeRules']['ofContract'] = {
  own: 'inherited',
  rule: LAW,
  chosenFor: 'tag',
  tag: 'Lease',
  window: { from: addDays(TODAY, -5), through: addDays(TODAY, 10) },
  derivation: 'Between Jan 31, 2027 and Feb 15, 2027: 30 to 15 days before Mar 2, 2027, the last day for notice',
  why: null,
  remedy: null,
  advice: ADVICE,
}
