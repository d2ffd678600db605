import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { DEFAULT_TEXTS, TEXT_VARIABLES } from '#shared/domain/reminder-text.ts'
import { letterText } from '#server/mail/letter.ts'
import { letterHtml } from '#server/mail/mailer.ts'
import { writeDigest } from './digest-letter.ts'
import { writeReminder, type ReminderFacts, type Wording } from './reminder-letter.ts'

const FACTS: ReminderFacts = {
  recipient: 'customer',
  contractId: 31,
  customerName: 'Harbor Bakery',
  sender: 'Mill & Sons',
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
  expect(subject).toBe('Your contract renews on December 31, 2026')
  expect(text).toBe(`Hello Harbor Bakery,

This is a reminder that your contract with Mill & Sons renews in 7 days, on December 31, 2026.

Amount: $1,200.50 a year
Renewal date: December 31, 2026

If you have a question or something has changed, just reply to this message.

Mill & Sons

-- 
TRAXX sent this email on behalf of Mill & Sons. You are receiving it because you have a contract with Mill & Sons.`)
  expect(html).toContain('<title>Your contract renews on December 31, 2026</title>')
  for (const words of ['renews in 7 days, on December 31, 2026.', '$1,200.50 a year']) expect(html).toContain(words)
})

test.each([
  ['2026-12-30', 'renews tomorrow'],
  ['2026-12-31', 'renews today'],
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
    '$1,200.50',
    'yearly',
    'December 31, 2026',
    'in 7 days',
    '7 days',
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
