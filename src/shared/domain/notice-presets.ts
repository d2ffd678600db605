import { toDay, type Day } from './day.ts'
import type { NoticeRule } from './notice-window.ts'

export const NOTICE_PRESETS = ['new_york_services', 'new_york_leases', 'wisconsin_business'] as const
export type NoticePresetKey = (typeof NOTICE_PRESETS)[number]

/** What stands beside every preset. */
export const NO_LEGAL_ADVICE =
  'This is not legal advice. Whether a law applies to a contract is for you or your lawyer to decide.'

/** A law from which a rule can be taken over, as it was read; in our words, not those of the statute. */
export interface NoticePreset {
  name: string
  citation: string
  /** Where its text was read. */
  source: string
  readOn: Day
  /** To which contracts it applies. */
  conditions: readonly string[]
  /** How a notice must be given. */
  how: string
  /** The mail by which a letter must be sent unless it is handed over in person; null where any mail counts. */
  requiredMail: string | null
  /** What becomes of a renewal without notice. */
  consequence: string
  /** Whether email can count because the customer has agreed to it. */
  emailMayBeAgreed: boolean
  rule: NoticeRule
}

const READ_ON = toDay('2026-11-22')

const NEW_YORK: NoticeRule = {
  unit: 'days',
  from: 30,
  until: 15,
  countedFrom: 'last_day_for_notice',
  means: ['letter'],
  contents: ['renews'],
  exceptMonthly: false,
}

/** The laws that were read in full enough to be offered. Nothing else is, and other rules are the account's own. */
export const PRESETS: Record<NoticePresetKey, NoticePreset> = {
  new_york_services: {
    name: 'New York: service, maintenance or repair',
    citation: 'New York General Obligations Law 5-903',
    source: 'nysenate.gov',
    readOn: READ_ON,
    conditions: [
      'Contracts for service, maintenance or repair to or for real or personal property',
      'They renew unless the customer gives notice; customers that are businesses are covered too',
      'Not if the renewal period is one month or less',
    ],
    how: 'In writing, served personally or by certified mail. Email does not count.',
    requiredMail: 'certified mail',
    consequence: 'The renewal cannot be enforced against the customer',
    emailMayBeAgreed: false,
    rule: { ...NEW_YORK, exceptMonthly: true },
  },
  new_york_leases: {
    name: 'New York: leases of real property',
    citation: 'New York General Obligations Law 5-905',
    source: 'several published texts of the section',
    readOn: READ_ON,
    conditions: ['Leases of real property that renew unless the tenant gives notice'],
    how: 'In writing, served personally or by registered or certified mail. Email does not count.',
    requiredMail: 'registered or certified mail',
    consequence: 'The renewal provision is inoperative',
    emailMayBeAgreed: false,
    rule: NEW_YORK,
  },
  wisconsin_business: {
    name: 'Wisconsin: business contracts',
    citation: 'Wisconsin Statutes 134.49 (3), (4)',
    source: 'docs.legis.wisconsin.gov',
    readOn: READ_ON,
    conditions: [
      'Services to, or equipment leased by, a business in Wisconsin',
      'The first term is longer than one year, and the contract renews for more than one year',
      'A long list of exceptions, among them contracts that the customer may end with at most a month of notice',
    ],
    how: 'In writing, by one of the ways of subsection (4), which was read only in part; regular mail is among them.',
    requiredMail: null,
    consequence: 'The renewal is not enforceable; the contract ends with its current term',
    emailMayBeAgreed: true,
    rule: {
      unit: 'days',
      from: 60,
      until: 15,
      countedFrom: 'last_day_for_notice',
      means: ['letter'],
      contents: ['renews', 'deadline', 'price', 'how_to_decline'],
      exceptMonthly: false,
    },
  },
}

/** What a missed window means by a rule of the account's own. */
export const OWN_CONSEQUENCE = 'The contract does not renew by itself'

/** What a missed window means, by the rule chosen. */
export function consequenceOf(preset: NoticePresetKey | null): string {
  return preset ? PRESETS[preset].consequence : OWN_CONSEQUENCE
}

/** How a notice must be given by the law that a rule was taken over from; nulls by a rule of the account's own. */
export function deliveryOf(preset: NoticePresetKey | null): { how: string | null; requiredMail: string | null } {
  const law = preset && PRESETS[preset]
  return { how: law?.how ?? null, requiredMail: law?.requiredMail ?? null }
}
