import { expect, test } from 'vitest'
import { consequenceOf, NOTICE_PRESETS, PRESETS, type NoticePresetKey } from './notice-presets.ts'

// Each law as it was read on that day. A value changes only with another reading of the statute.
const AS_READ: Record<NoticePresetKey, object> = {
  new_york_services: {
    citation: 'New York General Obligations Law 5-903',
    source: 'nysenate.gov',
    readOn: '2026-11-22',
    how: 'In writing, served personally or by certified mail. Email does not count.',
    requiredMail: 'certified mail',
    consequence: 'The renewal cannot be enforced against the customer',
    emailMayBeAgreed: false,
    rule: {
      unit: 'days',
      from: 30,
      until: 15,
      countedFrom: 'last_day_for_notice',
      means: ['letter'],
      contents: ['renews'],
      exceptMonthly: true,
    },
  },
  new_york_leases: {
    citation: 'New York General Obligations Law 5-905',
    source: 'several published texts of the section',
    readOn: '2026-11-22',
    how: 'In writing, served personally or by registered or certified mail. Email does not count.',
    requiredMail: 'registered or certified mail',
    consequence: 'The renewal provision is inoperative',
    emailMayBeAgreed: false,
    rule: {
      unit: 'days',
      from: 30,
      until: 15,
      countedFrom: 'last_day_for_notice',
      means: ['letter'],
      contents: ['renews'],
      exceptMonthly: false,
    },
  },
  wisconsin_business: {
    citation: 'Wisconsin Statutes 134.49 (3), (4)',
    source: 'docs.legis.wisconsin.gov',
    readOn: '2026-11-22',
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

test.each(NOTICE_PRESETS)('the rule taken over from %s says what its law was read to say', (preset) => {
  const { name: _name, conditions: _conditions, ...law } = PRESETS[preset]
  expect(law).toEqual(AS_READ[preset])
})

test.each([
  ['new_york_services', /service, maintenance or repair/, /one month or less/],
  ['new_york_leases', /leases of real property/i, /unless the tenant gives notice/],
  ['wisconsin_business', /a business in Wisconsin/, /longer than one year.*renews for more than one year/],
] as const)('of %s it is said to which contracts its law applies', (preset, ...said) => {
  const conditions = PRESETS[preset].conditions.join('; ')
  for (const words of said) expect(conditions).toMatch(words)
})

test('a missed window means what its law says, or by a rule of the account itself that the contract does not renew', () => {
  for (const preset of NOTICE_PRESETS) expect(consequenceOf(preset)).toBe(PRESETS[preset].consequence)
  expect(consequenceOf(null)).toBe('The contract does not renew by itself')
})
