import { expect, test } from '@playwright/test'
import { toDay } from '#shared/domain/day.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { DEFAULT_TEXTS } from '#shared/domain/reminder-text.ts'
import { firstDeletionNotice, lastDeletionNotice } from '#server/deletion/deletion-letters.ts'
import { contactLetter } from '#server/pages/contact-message.ts'
import { letterHtml } from '#server/mail/mailer.ts'
import type { ReminderFacts } from '#server/reminders/letters/contract-facts.ts'
import { writeReminder } from '#server/reminders/letters/reminder-letter.ts'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'

const WIDTHS = [320, 375, 480, 600, 900]
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenfabrikationsbetrieb'
const FACTS: ReminderFacts = {
  recipient: 'customer',
  contractId: 31,
  customerName: `${LONG} & Sons`,
  sender: 'Mill & Daughters',
  title: `${LONG} hosting`,
  reference: LONG,
  renews: 'by_agreement',
  noticePeriod: '3 days',
  nextAmountCents: centsFromAmount(9_999_999_998.99),
  nextCycle: 'monthly',
  amountCents: centsFromAmount(9_999_999_999.99),
  renewalCycle: 'quarterly',
  renewalDate: toDay('2026-09-30'),
  today: toDay('2026-09-16'),
}
const WORDING = {
  texts: DEFAULT_TEXTS,
  mayLink: true,
  postalAddress: `${LONG}\n1 Mill Lane`,
  contractUrl: 'https://traxx.test/contracts?open=31',
  unsubscribeUrl: 'https://traxx.test/unsubscribe/1.2.x',
}

function reminder(changes: Partial<ReminderFacts>) {
  return writeReminder({ ...FACTS, ...changes }, WORDING)
}

const DELETION = { deletesAt: new Date('2027-03-05T12:00:00Z'), timeZone: 'UTC', publicUrl: `https://${LONG}.example` }

const LETTERS = {
  'reminder to the customer': reminder({}),
  'automatic renewal': reminder({ renews: 'automatic' }),
  'end of a contract': reminder({ renews: 'never' }),
  'follow-up to the customer': reminder({ today: toDay('2026-10-03') }),
  'reminder to the owner': reminder({ recipient: 'owner' }),
  'first notice of a deletion': firstDeletionNotice(DELETION),
  'last notice of a deletion': lastDeletionNotice(DELETION),
  'message of the contact form': {
    subject: 'Message',
    letter: contactLetter({ name: 'Ada', email: `${LONG}@example.com`, message: `Hello\n\n${LONG}${LONG}` }, 'paying'),
  },
}

test('every letter is readable from 320 to 900 px', async ({ page }) => {
  for (const [name, { subject, letter }] of Object.entries(LETTERS)) {
    await page.setContent(await letterHtml(subject, letter))
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoOverflow(page, `the ${name} at ${width} px`)
    }
  }
})

test('on a narrow phone the amount and the date of a contract take one line each', async ({ page }) => {
  const { subject, letter } = reminder({ amountCents: centsFromAmount(2400), renewalCycle: 'yearly' })
  await page.setContent(await letterHtml(subject, letter))
  await page.setViewportSize({ width: 320, height: 800 })
  for (const text of ['$2,400.00 a year', 'September 30, 2026']) {
    const lines = await page.getByText(text, { exact: true }).evaluate((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return range.getClientRects().length
    })
    expect(lines, text).toBe(1)
  }
})

test('a letter with all that one can have is readable for everybody, and in the dark it is dark', async ({ page }) => {
  const { letter } = LETTERS['reminder to the owner']
  await page.setContent(await letterHtml('A letter', { ...letter, unsubscribeUrl: WORDING.unsubscribeUrl }))
  await expectAccessible(page, 'a letter')
  const colors = () =>
    page.locator('.page, .card').evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor))
  expect(await colors()).toEqual(['rgb(16, 19, 24)', 'rgb(27, 32, 41)'])
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await colors()).toEqual(['rgb(243, 244, 248)', 'rgb(255, 255, 255)'])
})
