import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { addDays, toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { DEFAULT_TEXTS, TEXT_KINDS, TEXT_VARIABLES, textKindOf } from '#shared/domain/reminder-text.ts'
import { letterText } from '#server/mail/letter.ts'
import { letterHtml } from '#server/mail/mailer.ts'
import { writeDigest } from './digest-letter.ts'
import type { ReminderFacts } from './contract-facts.ts'
import { writeReminder, type Wording } from './reminder-letter.ts'

const FACTS: ReminderFacts = {
  recipient: 'customer',
  contractId: 31,
  customerName: 'Harbor Bakery',
  sender: 'Mill & Sons',
  title: null,
  reference: null,
  renews: 'by_agreement',
  noticePeriod: null,
  nextAmountCents: null,
  nextCycle: null,
  amountCents: centsFromAmount(1200.5),
  renewalCycle: 'yearly',
  renewalDate: toDay('2026-12-31'),
  today: toDay('2026-12-24'),
}

const WORDING: Wording = {
  texts: DEFAULT_TEXTS,
  contractUrl: 'https://traxx.test/contracts?open=31',
  mayLink: true,
}

/** The message as it is sent. */
async function written(facts: ReminderFacts, wording = WORDING) {
  const { subject, letter } = writeReminder(facts, wording)
  return { subject, text: letterText(letter), html: await letterHtml(subject, letter) }
}

test('the customer reads what renews, when, and what it costs', async () => {
  const { subject, text, html } = await written({ ...FACTS, recipient: 'customer' })
  expect(subject).toBe('Your contract is due for renewal on December 31, 2026')
  expect(text).toBe(`Hello Harbor Bakery,

This is a reminder that your contract with Mill & Sons is due for renewal in 7 days, on December 31, 2026.

It renews only if you agree. If you would like to continue, just reply to this message.

Amount: $1,200.50 a year
Renewal date: December 31, 2026

If you have a question or something has changed, please let us know.

Mill & Sons

-- 
TRAXX sent this email on behalf of Mill & Sons. You are receiving it because you have a contract with Mill & Sons.`)
  expect(html).toContain('<title>Your contract is due for renewal on December 31, 2026</title>')
  for (const words of ['is due for renewal in 7 days, on December 31, 2026.', '$1,200.50 a year'])
    expect(html).toContain(words)
})

test.each([
  ['2026-12-30', 'is due for renewal tomorrow'],
  ['2026-12-31', 'is due for renewal today'],
  ['2027-01-01', 'was due for renewal on December 31, 2026, 1 day ago'],
  ['2027-01-07', 'was due for renewal on December 31, 2026, 7 days ago'],
])('on %s it says "%s"', async (today, words) => {
  for (const recipient of ['customer', 'owner'] as const) {
    const { text, html } = await written({ ...FACTS, today: toDay(today), recipient })
    expect(text).toContain(words)
    expect(html).toContain(words)
  }
})

test('the owner reads whose contract it is, with a way to it', async () => {
  const { subject, text, html } = await written({ ...FACTS, recipient: 'owner' })
  expect(subject).toBe('Harbor Bakery renews in 7 days')
  expect(text).toContain('View contract: https://traxx.test/contracts?open=31')
  expect(html).toContain('href="https://traxx.test/contracts?open=31"')
  const late = await written({ ...FACTS, recipient: 'owner', today: toDay('2027-01-03') })
  expect(late.subject).toBe('Harbor Bakery is overdue by 3 days')
})

describe('a contract', () => {
  const HOSTING: ReminderFacts = {
    ...FACTS,
    title: 'Web hosting',
    reference: 'C-1001',
    noticePeriod: '3 days',
    nextAmountCents: centsFromAmount(1300),
    nextCycle: 'monthly',
  }

  test('that renews automatically says until when notice can be given, and what its next term costs', async () => {
    const { subject, text } = await written({ ...HOSTING, renews: 'automatic' })
    expect(subject).toBe('Your contract renews on December 31, 2026')
    expect(text)
      .toContain(`renews automatically in 7 days, on December 31, 2026. The next term costs $1,300.00 (monthly).

If you do not want it to renew, please tell us by December 28, 2026.

Contract: Web hosting
Reference: C-1001
Amount: $1,200.50 a year
From the next term: $1,300.00 a month
Renewal date: December 31, 2026
Last day for notice: December 28, 2026
`)
  })

  test.each([
    ['30 days', 'The last day for notice was December 1, 2026.'],
    [null, 'If you do not want it to renew, please tell us by December 30, 2026.'],
  ])('with a notice period of %s says: %s', async (noticePeriod, words) => {
    const { text } = await written({ ...HOSTING, renews: 'automatic', noticePeriod })
    expect(text).toContain(`\n\n${words}\n\n`)
  })

  test('that never renews says that it ends, and nothing of a next term', async () => {
    const { subject, text } = await written({ ...HOSTING, renews: 'never' })
    expect(subject).toBe('Your contract ends on December 31, 2026')
    expect(text).toContain('ends in 7 days, on December 31, 2026. It does not renew.')
    expect(text).toContain('Amount: $1,200.50 a year\nEnd date: December 31, 2026\n\n')
  })

  test.each([
    ['automatic', 'Harbor Bakery (Web hosting) renews in 7 days', 'The last day for notice is December 28, 2026.'],
    ['by_agreement', 'Harbor Bakery (Web hosting) renews in 7 days', 'renew or end the contract.'],
    ['never', 'Harbor Bakery (Web hosting) ends in 7 days', 'and does not renew.'],
  ] as const)('that renews: %s is named and described to the owner', async (renews, expected, words) => {
    const { subject, text } = await written({ ...HOSTING, renews, recipient: 'owner' })
    expect(subject).toBe(expected)
    expect(text).toContain(words)
    expect(text).toContain('Customer: Harbor Bakery\nContract: Web hosting\nReference: C-1001\nAmount: ')
  })

  test('has its own text for each way of renewing, as its account has written it', async () => {
    const own = Object.fromEntries(
      TEXT_KINDS.map((kind) => [kind, { subject: kind, body: '{{contract}} {{title}} {{reference}}' }]),
    )
    const texts = { ...DEFAULT_TEXTS, ...own }
    for (const renews of RENEWS) {
      const { subject, text } = await written({ ...HOSTING, renews }, { ...WORDING, texts })
      expect(subject).toBe(textKindOf(renews, 7))
      expect(text).toContain('Web hosting, C-1001 (yearly, $1,200.50) Web hosting C-1001\n')
      const late = await written({ ...HOSTING, renews, today: toDay('2027-01-01') }, { ...WORDING, texts })
      expect(late.subject).toBe('follow_up')
    }
  })

  test('in an email about several says how each renews', () => {
    const all = RENEWS.map((renews, contractId): ReminderFacts => ({ ...HOSTING, renews, contractId }))
    const [first = HOSTING] = all
    const wording = { contractsUrl: 'https://traxx.test/contracts', mayLink: true }
    const customers = writeDigest(first, all, wording)
    expect(customers.subject).toBe('3 contracts with Mill & Sons renew or end soon')
    for (const label of ['Renews automatically', 'Due for renewal', 'Ends']) {
      expect(letterText(customers.letter)).toContain(`\n${label}: December 31, 2026, in 7 days\n`)
    }
    const owners = writeDigest({ ...first, recipient: 'owner' }, all, wording)
    for (const how of ['renews automatically', 'renews by agreement', 'does not renew']) {
      expect(letterText(owners.letter)).toContain(
        `Harbor Bakery (Web hosting): December 31, 2026, in 7 days: $1,200.50 a year, ${how}\n`,
      )
    }
  })

  test('has no links in its title or reference, where nobody has paid yet', async () => {
    const facts: ReminderFacts = { ...HOSTING, title: 'evil.example', reference: 'https://evil.example' }
    const { text } = await written(facts, { ...WORDING, mayLink: false })
    expect(text).toContain('Contract: evil. example')
    const digest = writeDigest(facts, [facts, { ...facts, contractId: 32 }], { contractsUrl: '', mayLink: false })
    for (const shown of [text, letterText(digest.letter)]) expect(shown).not.toContain('evil.example')
  })
})

const anyWord = fc.constantFrom('Web hosting', 'C-1001')
const anyFacts: fc.Arbitrary<ReminderFacts> = fc.record({
  recipient: fc.constantFrom('customer', 'owner'),
  contractId: fc.integer({ min: 1 }),
  customerName: anyWord,
  sender: anyWord,
  title: fc.option(anyWord),
  reference: fc.option(anyWord),
  amountCents: fc.integer({ min: 0, max: 1_000_000 }).map((amount) => centsFromAmount(amount)),
  renewalCycle: fc.constantFrom(...RENEWAL_CYCLES),
  renews: fc.constantFrom(...RENEWS),
  renewalDate: fc.constant(FACTS.renewalDate),
  noticePeriod: fc.option(fc.constantFrom('1 day', '30 days', '3 months')),
  nextAmountCents: fc.option(fc.constant(centsFromAmount(1300))),
  nextCycle: fc.option(fc.constantFrom(...RENEWAL_CYCLES)),
  renewed: fc.option(
    fc.record({
      termStart: fc.constant(FACTS.today),
      before: fc.option(
        fc.record({
          amountCents: fc.constantFrom(centsFromAmount(0), centsFromAmount(1300)),
          renewalCycle: fc.constantFrom(...RENEWAL_CYCLES),
        }),
      ),
    }),
    { nil: undefined },
  ),
  today: fc.integer({ min: -40, max: 40 }).map((days) => addDays(FACTS.renewalDate, days)),
})

property.prop([anyFacts])('no text of ours leaves a brace, an empty place, or what is not a value', (facts) => {
  const everything = Object.fromEntries(
    TEXT_KINDS.map((kind) => {
      const each = Object.keys(TEXT_VARIABLES[kind]).map((name) => `<{{${name}}}>`)
      return [kind, { subject: each.join(''), body: each.join('\n') }]
    }),
  )
  const other = { ...facts, contractId: facts.contractId + 1 }
  const letters = [
    writeReminder(facts, WORDING),
    writeReminder(facts, { ...WORDING, texts: { ...DEFAULT_TEXTS, ...everything } }),
    writeDigest(facts, [facts, other], { ...WORDING, contractsUrl: 'https://traxx.test/contracts' }),
  ]
  for (const { subject, letter } of letters) {
    const text = `${subject}\n${letterText(letter)}`
    expect(text).not.toMatch(/[{}]|<>|undefined|null|NaN|: \n|  | [.,]|\(\)/)
  }
})

test('the customer is led nowhere but to unsubscribe', async () => {
  const { text, html } = await written(FACTS, { ...WORDING, unsubscribeUrl: 'https://traxx.test/unsubscribe/1.2.x' })
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual(['https://traxx.test/unsubscribe/1.2.x'])
  expect(text).toContain('\nUnsubscribe: https://traxx.test/unsubscribe/1.2.x')
})

test('under the letter stand who wrote it, where they are, that TRAXX sends it, and the way to stop it', async () => {
  const postalAddress = '1 Mill Lane\nBurlington <VT>'
  const wording = { ...WORDING, postalAddress, unsubscribeUrl: 'https://traxx.test/unsubscribe/1.2.x' }
  const { text, html } = await written(FACTS, wording)
  expect(text).toMatch(
    /\n-- \nTRAXX sent this email on behalf of Mill & Sons\..*\n1 Mill Lane\nBurlington <VT>\nUnsubscribe: /,
  )
  expect(html).toContain('TRAXX sent this email on behalf of Mill &amp; Sons.')
  expect(html).toContain('1 Mill Lane<br/>Burlington &lt;VT&gt;')
})

test('the logo stands at the head of what customers read, and of nothing else', async () => {
  const logoUrl = 'https://traxx.test/logos/a.png'
  expect((await written(FACTS, { ...WORDING, logoUrl })).html).toContain(`src="${logoUrl}"`)
  expect((await written({ ...FACTS, recipient: 'owner' }, { ...WORDING, logoUrl })).html).not.toContain('<img')
})

test('where nobody has paid yet, nothing in a text becomes a link, wherever it comes from', async () => {
  const body = 'See https://evil.example/x and {{customer}}.example\n\n{{customer}}'
  const texts = { ...DEFAULT_TEXTS, reminder: { subject: 'www.evil.example for {{customer}}', body } }
  const facts = { ...FACTS, customerName: 'Harbor.test' }
  const trial = await written(facts, { ...WORDING, texts, mayLink: false })
  expect(trial.subject).toBe('www. evil. example for Harbor. test')
  expect(trial.text).toContain('See https: evil. example/x and Harbor. test. example\n\nHarbor. test\n')
  expect(trial.html).not.toMatch(/evil\.example|Harbor\.test/)
  const paid = await written(facts, { ...WORDING, texts })
  expect(paid.text).toContain('See https://evil.example/x and Harbor.test.example')
})

test("but the reader's own domain, where it stands as a word", async () => {
  const facts = { ...FACTS, customerName: 'Harbor.test', email: 'orders@harbor.test' }
  const reminder = { subject: 'For {{customer}}: {{when}}', body: 'Hello {{customer}},\n\n{{customer}}.example' }
  const { subject, text } = await written(facts, { ...WORDING, texts: { ...DEFAULT_TEXTS, reminder }, mayLink: false })
  expect(subject).toBe('For Harbor.test: in 7 days')
  expect(text).toContain('Hello Harbor.test,\n\nHarbor. test. example')
})

test('nor in an email about several contracts, which names the company and TRAXX as any other', async () => {
  const facts = { ...FACTS, customerName: 'Harbor.test' }
  const other = { ...FACTS, contractId: 32, customerName: 'evil.example' }
  const wording = { contractsUrl: 'https://traxx.test/contracts', postalAddress: '1 Mill Lane', mayLink: false }
  const { letter } = writeDigest(facts, [facts, other], wording)
  expect(letterText(letter)).toContain('Contract: evil. example')
  expect(letterText(letter)).not.toMatch(/evil\.example|Harbor\.test/)
  expect(letterText(letter)).toContain('TRAXX sent this email on behalf of')
  expect(letterText(letter)).toContain('1 Mill Lane')
})

test('what the account has written itself is sent, with every variable', async () => {
  const names = Object.keys(TEXT_VARIABLES.reminder)
  const text = { subject: '{{customer}}: {{ daysLeft }}', body: names.map((name) => `{{${name}}}`).join('\n') }
  const message = await written(FACTS, { ...WORDING, texts: { ...DEFAULT_TEXTS, reminder: text } })
  expect(message.subject).toBe('Harbor Bakery: 7 days')
  expect(message.text.split('\n').slice(0, names.length)).toEqual([
    'Harbor Bakery',
    'Mill & Sons',
    '(yearly, $1,200.50)',
    'contract',
    '31',
    '$1,200.50',
    'yearly',
    'December 31, 2026',
    'in 7 days',
    '7 days',
    '$1,200.50',
    'yearly',
    'December 30, 2026',
  ])
  expect(message.html).toContain('Harbor Bakery<br/>Mill &amp; Sons<br/>(yearly, $1,200.50)')
})

test('names and texts are text, never markup, and no name is read as a variable', async () => {
  const evil = '<img src=x onerror="alert(1)">'
  const texts = {
    ...DEFAULT_TEXTS,
    reminder: { subject: `${evil} {{customer}}`, body: `${evil}\n\n{{customer}} {{company}}` },
  }
  const { subject, html, text } = await written(
    { ...FACTS, customerName: `{{amount}}</title><script>`, sender: evil },
    { ...WORDING, texts },
  )
  expect(subject).toBe(`${evil} {{amount}}</title><script>`)
  expect(text).toContain(`{{amount}}</title><script> ${evil}`)
  expect(html).not.toMatch(/<img|<script|<\/title><script/)
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
})

test('a subject stays one line, whatever a name has in it', async () => {
  const texts = { ...DEFAULT_TEXTS, reminder: { subject: 'For {{customer}}', body: 'Hello' } }
  const { subject } = await written({ ...FACTS, customerName: 'Harbor\r\nBcc: a@b.test' }, { ...WORDING, texts })
  expect(subject).toBe('For Harbor Bcc: a@b.test')
})

const RENEWED: ReminderFacts = {
  ...FACTS,
  title: 'Web hosting',
  noticePeriod: '30 days',
  renewalDate: toDay('2027-12-31'),
  today: toDay('2026-12-31'),
  renewed: {
    termStart: toDay('2026-12-31'),
    before: { amountCents: centsFromAmount(1000), renewalCycle: 'yearly' },
  },
}

test('a confirmation says what was renewed, from when to when, for how much, and what changed', async () => {
  const { subject, text } = await written(RENEWED)
  expect(subject).toBe('Your contract has been renewed until December 31, 2027')
  expect(text).toBe(`Hello Harbor Bakery,

Your contract with Mill & Sons has been renewed. The new term runs from December 31, 2026 until December 31, 2027 and costs $1,200.50 (yearly).

Previously, the amount was $1,000.00.

Contract: Web hosting
Amount: $1,200.50 a year
Previous amount: $1,000.00 a year
New term begins: December 31, 2026
Renewal date: December 31, 2027
Last day for notice: December 1, 2027

If you have a question or something is not right, just reply to this message.

Mill & Sons

-- 
TRAXX sent this email on behalf of Mill & Sons. You are receiving it because you have a contract with Mill & Sons.`)
})

test.each([
  [1200.5, 'yearly', 'The amount and the renewal cycle stay the same.'],
  [1000, 'yearly', 'Previously, the amount was $1,000.00.'],
  [1200.5, 'monthly', 'Previously, the contract renewed monthly.'],
  [100, 'monthly', 'Previously, the contract renewed monthly and the amount was $100.00.'],
] as const)('after a term of %d, %s, it says: %s', async (amount, renewalCycle, sentence) => {
  const before = { amountCents: centsFromAmount(amount), renewalCycle }
  const { text } = await written({ ...RENEWED, renewed: { termStart: toDay('2026-12-31'), before } })
  expect(text).toContain(sentence)
  expect(text.includes('Previous amount: ')).toBe(amount !== 1200.5 || renewalCycle !== 'yearly')
})

test('of a term before that nobody knows, a confirmation says no more than the new one', async () => {
  const { text } = await written({ ...RENEWED, renewed: { termStart: toDay('2026-12-31'), before: null } })
  expect(text).toContain('The amount and the renewal cycle stay the same.')
  expect(text).not.toContain('Previous amount: ')
})

test('an email about several contracts tells which have been renewed', () => {
  const { subject, letter } = writeDigest(FACTS, [{ ...FACTS, contractId: 32 }, RENEWED], {
    ...WORDING,
    contractsUrl: '',
  })
  expect(subject).toBe('2 contracts with Mill & Sons were renewed or need attention')
  const text = letterText(letter)
  expect(text).toContain('This contract with Mill & Sons has been renewed:\n\nContract: Web hosting')
  expect(text).toContain('This contract with Mill & Sons will come up for renewal soon:')
  const both = [RENEWED, { ...RENEWED, contractId: 33 }]
  expect(writeDigest(RENEWED, both, { ...WORDING, contractsUrl: '' }).subject).toBe(
    '2 contracts with Mill & Sons have been renewed',
  )
})
