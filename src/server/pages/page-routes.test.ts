import { expect, test } from 'vitest'
import { STORAGE } from '#server/limits/quotas.ts'
import { useApp } from '#support/app.ts'
import { anAccount, useWorld } from '#support/world.ts'
import type { Pages } from './built-pages.ts'

const pages: Pages = {
  folder: undefined,
  text: async (file) =>
    `${file}: __CONTACT_MAIL__, __KEPT_DAYS__ days, __MOST_RECORDS__ records, ` +
    '__MAILS_A_DAY__ or __MAILS_A_DAY_IN_TRIAL__ emails, __ORIGIN__<div data-contact-form=""></div>',
}
const storage = {
  quotas: { ...STORAGE.quotas, customersAndContracts: 30_000 },
  keptDays: { ...STORAGE.keptDays, endedAccounts: 365 },
}
const mailLimits = { toAddress: 5, ofTrial: 20, ofPaying: 2000 }
const world = useWorld()
const server = useApp(world, { contactMail: 'help&more@firm.example', storage, mailLimits }, { pages })

async function textOf(url: string, cookie = '') {
  const { body, statusCode } = await server.app.inject({ url, headers: { accept: 'text/html', cookie } })
  expect(statusCode).toBe(200)
  return body
}

test.each(['/', '/help', '/privacy', '/terms', '/contact', '/account-deleted'])(
  '%s names the address, the days, and the limits that the operator has set',
  async (url) => {
    expect(await textOf(url)).toContain(
      ': help&#38;more@firm.example, 365 days, 30,000 records, 2,000 or 20 emails, http://localhost:3000',
    )
  },
)

test.each(['help', 'privacy', 'terms', 'contact'])(
  '/%s leads somebody who is signed in back to the app',
  async (name) => {
    const { caller } = await anAccount(world)
    const cookie = `__client_uat=1; __session=session:${caller?.clerkUserId}`
    expect(await textOf(`/${name}`)).toContain(`${name}.html`)
    expect(await textOf(`/${name}`, cookie)).toContain(`${name}-member.html`)
  },
)
