import { expect, test } from 'vitest'
import { GUARANTEE_DAYS } from '#shared/domain/guarantee.ts'
import { DEFAULT_PREFERENCES } from '#shared/domain/reminder-preferences.ts'
import { renderPages } from './pages.tsx'

const pages = Object.entries(renderPages())
const { landing } = renderPages()

test.each(pages)('%s is readable without any script', (_, html) => {
  expect(html).toMatch(/^<!doctype html><html lang="en">/)
  expect(html).not.toContain('<script')
  expect(html).toMatch(/<h1[ >]/)
})

test.each(pages)('%s has a title, a description, its own address and a picture to share', (_, html) => {
  expect(html).toMatch(/<title>[^<]*TRAXX[^<]*<\/title>/)
  expect(html).toMatch(/<meta name="description" content="[^"]{50,160}"/)
  expect(html).toMatch(/<link rel="canonical" href="__ORIGIN__\/[a-z-]*"/)
  expect(html).toContain('<meta property="og:image" content="__ORIGIN__/images/dashboard.png"')
})

test('whoever is signed in is led to the dashboard by every button, and offered neither trial nor sign-in', () => {
  const { 'landing-member': member } = renderPages()
  expect(member.match(/<a class="button[^>]* href="[^"]+">[^<]+/g)).toEqual([
    '<a class="button small" href="/dashboard">Go to Dashboard',
    '<a class="button" href="/dashboard">Go to Dashboard',
    '<a class="button" href="/dashboard">Go to Dashboard',
  ])
  for (const path of ['/checkout', '/sign-in']) expect(member).not.toContain(`href="${path}`)
  for (const path of ['/privacy', '/terms', '/contact']) expect(member).toContain(`href="${path}"`)
})

test('the front page leads to the trial, to the sign-in and to the small print', () => {
  for (const path of ['/checkout?trial=true', '/sign-in', '/privacy', '/terms', '/contact', '/help']) {
    expect(landing).toContain(`href="${path}"`)
  }
})

test('the front page leads to its plan and its questions, which are on it', () => {
  for (const id of ['pricing', 'questions']) {
    expect(landing.match(new RegExp(`href="/#${id}"`, 'g'))).toHaveLength(2)
    expect(landing).toContain(`id="${id}"`)
  }
})

test('the button of the front page opens the sign-up form, and no page that asks for the same button again', () => {
  const buttons = landing.match(/<a class="button[^>]* href="[^"]+">Start Your Free Trial/g) ?? []
  expect(buttons).toHaveLength(3)
  for (const button of buttons) expect(button).toContain('href="/checkout?trial=true"')
})

test('no page quotes a customer, claims a rating, or names an address that the operator has not set', () => {
  for (const [, html] of pages) {
    expect(html).not.toMatch(/What customers say|reviews|\d\/5|average business|47,000/)
    expect(html).not.toMatch(/[\w.]+@[\w.]+\.test/)
  }
})

test.each(['privacy', 'terms'] as const)(
  '%s says for how long data is kept after a subscription, and that we tell',
  (name) => {
    const html = renderPages()[name]
    expect(html).toMatch(/data for __KEPT_DAYS__ days/)
    expect(html).toContain('We email you twice before')
  },
)

test('whoever has deleted the account is told so, and search engines are not', () => {
  const { 'account-deleted': deleted } = renderPages()
  expect(deleted).toContain('<h1>Your account has been deleted</h1>')
  expect(deleted).toContain('<meta name="robots" content="noindex"/>')
})

test.each(['landing', 'terms', 'help', 'contact'] as const)(
  '%s names the days that the refund command allows',
  (name) => {
    expect(renderPages()[name]).toMatch(new RegExp(`within ${GUARANTEE_DAYS} days of (your first payment|it)`))
  },
)

test.each(['landing', 'help'] as const)('%s names all the days of the default settings', (name) => {
  const html = renderPages()[name]
  const [lastDay, ...days] = DEFAULT_PREFERENCES.reminderDays.toReversed()
  expect(lastDay).toBe(1)
  const named = new Intl.ListFormat('en-US').format(days.toReversed().map(String))
  expect(html).toMatch(new RegExp(`${named} days before a renewal( date)? and again the day before`))
})

test('the front page promises what the product does', () => {
  expect(landing).toContain('<strong>$29</strong>/month')
  expect(landing).toContain('after a 14-day free trial')
  const [features = '', renewals = ''] = landing.split(`id="renewals"`)
  expect(features.match(/class="card"/g)).toHaveLength(6)
  expect(renewals.match(/class="card"/g)).toHaveLength(3)
})

test('the front page has its hero with a picture of the dashboard, in both color schemes', () => {
  expect(landing).toContain('<h1 id="promise">Never miss a contract renewal again.</h1>')
  expect(landing).toMatch(/<img[^>]* src="\/images\/dashboard\.png"[^>]* alt="The TRAXX dashboard: [^"]+"/)
  expect(landing).toMatch(/<source media="\(prefers-color-scheme: dark\)" srcSet="\/images\/dashboard-dark\.png"/)
})

test('the front page has its promises, the problem, the pricing card and a footer', () => {
  for (const text of [
    '14-day money-back guarantee',
    'No setup fees',
    'Revenue rarely leaves with a bang. It lapses.',
  ]) {
    expect(landing).toContain(text)
  }
  for (const text of ['Unlimited contracts and clients', 'Priority support', 'Data export', 'Cancel anytime']) {
    expect(landing).toContain(text)
  }
  expect(landing).toContain('<footer')
})

test('what the problem costs and what the plan costs a year are sums that add up', () => {
  const [lost = '', of = '', plan = ''] =
    landing.match(/\$[\d,]+(?=<\/strong><p>a year| a month lapses| a year\.)/g) ?? []
  const dollars = (text: string) => Number(text.replaceAll(/[$,]/g, ''))
  expect(dollars(lost)).toBe(12 * dollars(of))
  expect(dollars(plan)).toBe(12 * 29)
})

test('the terms say what an unlimited account can hold all the same', () => {
  const { terms } = renderPages()
  for (const limit of ['MOST_RECORDS', 'MAILS_A_DAY', 'MAILS_A_DAY_IN_TRIAL']) expect(terms).toContain(`__${limit}__`)
})

test('the privacy page names who handles data, the contact form, and what stays after an account', () => {
  const { privacy } = renderPages()
  for (const text of ['Clerk', 'Stripe', 'mail provider', 'contact form', 'Three things stay', 'keyed hash']) {
    expect(privacy).toContain(text)
  }
})

test('the contact page has the place for the form just as the server looks for it, and no other page has', () => {
  const { contact, 'contact-member': member, ...others } = renderPages()
  for (const html of [contact, member]) expect(html.split('<div data-contact-form=""></div>')).toHaveLength(2)
  for (const html of Object.values(others)) expect(html).not.toContain('data-contact-form')
})
