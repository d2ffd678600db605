import { expect, test } from 'vitest'
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
  expect(html).toMatch(/<link rel="canonical" href="__ORIGIN__\/[a-z]*"/)
  expect(html).toContain('<meta property="og:image" content="__ORIGIN__/images/dashboard.png"')
})

test('whoever is signed in is led to the dashboard by every button, and offered neither trial nor sign-in', () => {
  const { 'landing-member': member } = renderPages()
  expect(member.match(/<a class="button[^>]* href="[^"]+">[^<]+/g)).toEqual([
    '<a class="button small" href="/dashboard">Go to Dashboard',
    '<a class="button" href="/dashboard">Go to Dashboard',
    '<a class="button" href="/dashboard">Go to Dashboard',
  ])
  for (const path of ['/checkout', '/sign-in']) expect(member).not.toContain(`href="${path}"`)
  for (const path of ['/privacy', '/terms', '/contact']) expect(member).toContain(`href="${path}"`)
})

test('the front page leads to the trial, to the sign-in and to the small print', () => {
  for (const path of ['/checkout', '/sign-in', '/privacy', '/terms', '/contact']) {
    expect(landing).toContain(`href="${path}"`)
  }
})

test('the front page promises what the product does', () => {
  expect(landing).toContain('30, 14 and 7 days before a renewal')
  expect(landing).toContain('<strong>$29</strong>/month')
  expect(landing).toContain('after a 14-day free trial')
  expect(landing.match(/class="card"/g)).toHaveLength(6)
})

test('the front page has its hero with a picture of the dashboard, in both color schemes', () => {
  expect(landing).toContain('<h1 id="promise">Never miss a contract renewal again.</h1>')
  expect(landing).toMatch(/<img[^>]* src="\/images\/dashboard\.png"[^>]* alt="The TRAXX dashboard: [^"]+"/)
  expect(landing).toMatch(/<source media="\(prefers-color-scheme: dark\)" srcSet="\/images\/dashboard-dark\.png"/)
})

test('the front page has social proof, the problem, the pricing card and a footer', () => {
  for (const text of ['4.9/5', '200+ reviews', '$47,000', '14-day money-back guarantee', 'No setup fees']) {
    expect(landing).toContain(text)
  }
  for (const text of ['Unlimited contracts and clients', 'Priority support', 'Data export', 'Cancel anytime']) {
    expect(landing).toContain(text)
  }
  expect(landing).toContain('<footer')
})

test('the privacy page names who handles data, the contact form, and what stays after an account', () => {
  const { privacy } = renderPages()
  for (const text of ['Clerk', 'Stripe', 'mail provider', 'contact form', 'Three things stay', 'keyed hash']) {
    expect(privacy).toContain(text)
  }
})

test('the contact page has the place for the form just as the server looks for it, and no other page has', () => {
  const { contact, ...others } = renderPages()
  expect(contact.split('<div data-contact-form=""></div>')).toHaveLength(2)
  for (const html of Object.values(others)) expect(html).not.toContain('data-contact-form')
})
