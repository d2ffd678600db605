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

test.each(pages)('%s has the account link just as the server looks for it', (_, html) => {
  expect(html.split('<a data-account-link href="/sign-in">Sign In</a>')).toHaveLength(2)
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

test('the contact page has the place for the form just as the server looks for it, and no other page has', () => {
  const { contact, ...others } = renderPages()
  expect(contact.split('<div data-contact-form=""></div>')).toHaveLength(2)
  for (const html of Object.values(others)) expect(html).not.toContain('data-contact-form')
})
