import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { contentSecurity } from '#server/http/content-security.ts'
import { localEnvironment } from '#standins/main.ts'
import { debugPage } from './debug-page.ts'
import { readEnv } from '#server/env.ts'

/** The page as text, one line a service. */
async function debugOf(variables: NodeJS.ProcessEnv) {
  const app = Fastify()
  const identity = { publishableKey: 'pk_test_Y2xlcmsubG9jYWwudGVzdCQ=', proxyUrl: '/__clerk' }
  contentSecurity(app, { identity, origin: 'http://localhost:3000', hstsSubdomains: false, sockets: false })
  await app.register(debugPage(readEnv(variables), localEnvironment.names))
  const { body, headers } = await app.inject('/debug')
  const rows = [...body.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(([row]) => textOf(row))
  return { body, headers, rows }
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const KEYS = {
  DATABASE_URL: 'postgres://someone:db-secret@db.test/traxx',
  CLERK_PUBLISHABLE_KEY: 'pk_test_Y2xlcmsudHJheHguZXhhbXBsZSQ=',
  CLERK_SECRET_KEY: 'sk_test_clerk-secret',
  STRIPE_SECRET_KEY: 'sk_test_stripe-secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_stripe',
  SMTP_URL: 'smtp://someone:mail-secret@mail.test',
  MAILGUN_WEBHOOK_KEY: 'mailgun-secret',
  S3_ENDPOINT: 'https://s3.test',
  S3_REGION: 'eu-somewhere',
  S3_BUCKET: 'the-bucket',
  S3_ACCESS_KEY_ID: 'bucket-id',
  S3_SECRET_ACCESS_KEY: 'bucket-secret',
}

test('where nothing is configured every service is one of its own', async () => {
  const { rows, headers } = await debugOf({})
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  expect(rows).toEqual([
    'Database PostgreSQL, embedded DATABASE_URL not set SYSTEM_DATABASE_URL not set MIGRATION_DATABASE_URL not set',
    'Sign-in Stand-in for Clerk CLERK_PUBLISHABLE_KEY not set CLERK_SECRET_KEY not set CLERK_JWT_KEY not set',
    'Payment Stand-in for Stripe STRIPE_SECRET_KEY not set STRIPE_WEBHOOK_SECRET not set',
    'Mail Stand-in (mailbox at /dev/mailbox) SMTP_URL not set',
    'Mail events None MAILGUN_WEBHOOK_KEY not set',
    'Files A folder on this machine S3_ENDPOINT not set S3_REGION not set S3_BUCKET not set S3_ACCESS_KEY_ID not set S3_SECRET_ACCESS_KEY not set',
  ])
})

test('what is configured is named', async () => {
  const { rows } = await debugOf(KEYS)
  expect(rows).toEqual([
    'Database PostgreSQL, from DATABASE_URL DATABASE_URL set SYSTEM_DATABASE_URL not set MIGRATION_DATABASE_URL not set',
    'Sign-in Clerk CLERK_PUBLISHABLE_KEY set CLERK_SECRET_KEY set CLERK_JWT_KEY not set',
    'Payment Stripe STRIPE_SECRET_KEY set STRIPE_WEBHOOK_SECRET set',
    'Mail SMTP SMTP_URL set',
    'Mail events Mailgun MAILGUN_WEBHOOK_KEY set',
    'Files A bucket S3_ENDPOINT set S3_REGION set S3_BUCKET set S3_ACCESS_KEY_ID set S3_SECRET_ACCESS_KEY set',
  ])
})

test('no value is shown, not even of a publishable key', async () => {
  const { body } = await debugOf(KEYS)
  for (const value of Object.values(KEYS)) expect(body).not.toContain(value)
  expect(body).not.toMatch(/secret|someone|\.test\b|pk_|sk_|whsec/)
})
