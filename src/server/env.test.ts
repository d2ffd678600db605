import { describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db/traxx',
  PUBLIC_URL: 'https://traxx.example',
  CLERK_PUBLISHABLE_KEY: 'pk_live_x',
  CLERK_SECRET_KEY: 'sk_live_x',
  STRIPE_SECRET_KEY: 'sk_live_y',
  STRIPE_WEBHOOK_SECRET: 'whsec_y',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'TRAXX <hello@traxx.example>',
}

test('nothing at all is enough on one machine', () => {
  expect(readEnv({})).toMatchObject({ PORT: 3000, DATA_DIR: '.data', isProduction: false })
})

test('an empty variable counts as not set', () => {
  expect(readEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 })
})

describe('production', () => {
  test('starts with all that it needs', () => {
    expect(readEnv(production).isProduction).toBe(true)
  })

  test('names all that is missing at once', () => {
    const names = Object.keys(production).filter((name) => name !== 'NODE_ENV')
    for (const name of names) expect(() => readEnv({ NODE_ENV: 'production' })).toThrow(name)
  })

  test.each(Object.keys(production).filter((name) => name !== 'NODE_ENV'))('does not start without %s', (name) => {
    expect(() => readEnv({ ...production, [name]: undefined })).toThrow(`lacks ${name}`)
  })
})

test('every unusable variable is named at once', () => {
  const reading = () => readEnv({ PORT: 'many', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' })
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL']) expect(reading).toThrow(name)
})

test('a service with half of its keys is refused, so that no stand-in takes its place', () => {
  expect(() => readEnv({ CLERK_SECRET_KEY: 'sk' })).toThrow('lacks CLERK_PUBLISHABLE_KEY')
  expect(() => readEnv({ STRIPE_SECRET_KEY: 'sk' })).toThrow('lacks STRIPE_WEBHOOK_SECRET')
  expect(() => readEnv({ S3_BUCKET: 'pdfs', S3_REGION: 'eu' })).toThrow(
    'lacks S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
  )
  expect(() => readEnv({ ...production, S3_BUCKET: 'pdfs' })).toThrow('lacks S3_ENDPOINT')
})

test('proxies are named by their addresses', () => {
  expect(readEnv({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' })).toMatchObject({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' })
  for (const list of ['proxy.test', '10.0.0.1,', 'true']) {
    expect(() => readEnv({ TRUSTED_PROXIES: list })).toThrow('TRUSTED_PROXIES')
  }
})
