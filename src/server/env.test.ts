import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aPublicKey, aSigningKey } from '#support/public-key.ts'
import { STORAGE } from './limits/quotas.ts'
import { STORAGE_VARIABLES } from './limits/variables.ts'
import { readEnv } from './env.ts'

const PEM = aPublicKey()
const SIGNING_PEM = aSigningKey()

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db/traxx?sslmode=verify-full',
  PUBLIC_URL: 'https://traxx.example',
  CLERK_PUBLISHABLE_KEY: 'pk_live_Y2xlcmsudHJheHguZXhhbXBsZSQ=',
  CLERK_SECRET_KEY: 'sk_live_x',
  CLERK_JWT_KEY: PEM,
  STRIPE_SECRET_KEY: 'sk_live_y',
  STRIPE_WEBHOOK_SECRET: 'whsec_y',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'TRAXX <hello@traxx.example>',
  PROOF_SIGNING_KEY: SIGNING_PEM,
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
    expect(() => readEnv({ ...production, [name]: undefined })).toThrow(`variables are missing: ${name}`)
  })
})

describe('production in the clear', () => {
  test.each([
    ['PUBLIC_URL', 'http://traxx.example', 'web'],
    ['SMTP_URL', 'smtp://mail.example:587', 'mail'],
    ['SMTP_URL', 'smtp://mail.example?requireTLS=true&requireTLS=false', 'mail'],
    ['DATABASE_URL', 'postgres://u:p@db/traxx', 'database'],
    ['DATABASE_URL', 'postgres://u:p@db/traxx?sslmode=disable', 'database'],
    ['DATABASE_URL', 'postgres://u:p@localhost/traxx?host=db', 'database'],
    ['DATABASE_URL', 'postgres://u:p@db/traxx?sslmode=prefer', 'database'],
  ])('is refused unless it is allowed: %s=%s', (name, value, kind) => {
    const source = { ...production, [name]: value }
    expect(() => readEnv(source)).toThrow(`without encryption to ${name}`)
    expect(() => readEnv(source)).toThrow(`ALLOW_UNENCRYPTED=${kind}`)
    expect(readEnv({ ...source, ALLOW_UNENCRYPTED: `${kind},files` }).isProduction).toBe(true)
  })

  test.each([
    ['PUBLIC_URL', 'http://localhost:3000'],
    ['PUBLIC_URL', 'http://[::1]:3000'],
    ['SMTP_URL', 'smtp://127.0.0.1'],
    ['SMTP_URL', 'smtp://mail.example:587?requireTLS=true'],
    ['DATABASE_URL', 'postgres://u:p@127.0.0.1/traxx'],
    ['DATABASE_URL', 'postgres://u:p@localhost/traxx?host=/run/postgresql'],
    ['DATABASE_URL', 'postgres://u:p@db/traxx?sslmode=require'],
  ])('is fine on this machine, and nothing is in the clear with TLS: %s=%s', (name, value) => {
    expect(readEnv({ ...production, [name]: value })).toMatchObject({ [name]: value })
  })

  test.each(['SYSTEM_DATABASE_URL', 'MIGRATION_DATABASE_URL'])('is refused for %s as well', (name) => {
    const url = 'postgres://u:p@db/traxx?sslmode=require'
    const roles = { DATABASE_URL: url, SYSTEM_DATABASE_URL: url, MIGRATION_DATABASE_URL: url }
    expect(readEnv({ ...production, ...roles }).isProduction).toBe(true)
    const source = { ...production, ...roles, [name]: 'postgres://u:p@db/traxx' }
    expect(() => readEnv(source)).toThrow(`without encryption to ${name}`)
  })

  test('names all that would be at once, and refuses a word it does not know', () => {
    const open = {
      PUBLIC_URL: 'http://traxx.example',
      SMTP_URL: 'smtp://mail.example',
      S3_ENDPOINT: 'http://s3.example',
    }
    const bucket = { S3_REGION: 'eu', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' }
    expect(() => readEnv({ ...production, ...open, ...bucket })).toThrow('ALLOW_UNENCRYPTED=web,files,mail')
    expect(() => readEnv({ ALLOW_UNENCRYPTED: 'everything' })).toThrow('ALLOW_UNENCRYPTED')
  })
})

describe('stand-ins', () => {
  const KEYS = {
    CLERK_PUBLISHABLE_KEY: production.CLERK_PUBLISHABLE_KEY,
    CLERK_SECRET_KEY: 'sk_test_x',
    STRIPE_SECRET_KEY: 'sk_test_y',
    STRIPE_WEBHOOK_SECRET: 'whsec_y',
    SMTP_URL: 'smtps://mail.example',
  }

  test.each(['https://traxx.example', 'http://traxx.example', 'https://localhost.example', 'http://203.0.113.9'])(
    'are not served to strangers at %s',
    (PUBLIC_URL) => {
      expect(() => readEnv({ PUBLIC_URL })).toThrow(
        /replacements for Clerk \(no CLERK_SECRET_KEY\), Stripe \(no STRIPE_SECRET_KEY\), the mail server \(no SMTP_URL\).*NODE_ENV=production/,
      )
      expect(() => readEnv({ ...KEYS, SMTP_URL: undefined, PUBLIC_URL })).toThrow(
        'replacements for the mail server (no SMTP_URL)',
      )
      expect(readEnv({ ...KEYS, PUBLIC_URL })).toMatchObject({ PUBLIC_URL, isProduction: false })
    },
  )

  test.each([
    'http://localhost:3000',
    'https://127.0.0.1',
    'http://[::1]',
    'http://192.168.1.7:3000',
    'http://mac.local',
  ])('are served at %s', (PUBLIC_URL) => {
    expect(readEnv({ PUBLIC_URL })).toMatchObject({ PUBLIC_URL })
  })
})

test('every unusable variable is named at once', () => {
  const reading = () => readEnv({ PORT: 'many', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' })
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL']) expect(reading).toThrow(name)
})

test.each(['sk_live_x', 'pk_live_', 'pk_live_?', 'key'])('%s is no publishable key of Clerk', (key) => {
  expect(() => readEnv({ ...production, CLERK_PUBLISHABLE_KEY: key })).toThrow("Clerk's publishable key")
})

describe("Clerk's JWT key", () => {
  test.each([
    ['as Clerk shows it', PEM],
    ['on one line', PEM.replaceAll('\n', '')],
    ['with its line breaks written out', PEM.replaceAll('\n', String.raw`\n`)],
    ['with line breaks of Windows', PEM.replaceAll('\n', '\r\n')],
  ])('is taken %s', (_how, value) => {
    expect(readEnv({ ...production, CLERK_JWT_KEY: value }).CLERK_JWT_KEY).toBe(PEM)
  })

  test.each([
    ['no key', 'secret'],
    ['only the first line', '-----BEGIN PUBLIC KEY-----'],
    ['scribble', '-----BEGIN PUBLIC KEY-----\nc2NyaWJibGU=\n-----END PUBLIC KEY-----'],
    ['half of a key', PEM.replace(/\n.*\n.*\n-----END/, '\n-----END')],
    ['a private key', PEM.replaceAll('PUBLIC', 'PRIVATE')],
    ['a key that the SDK reads wrongly', aPublicKey(4096)],
  ])('stops the start where it is %s', (_what, value) => {
    const reading = () => readEnv({ ...production, CLERK_JWT_KEY: value })
    expect(reading).toThrow(/Must be Clerk's JWT public key[^]*at CLERK_JWT_KEY/)
  })

  test('is not repeated by the refusal', () => {
    expect(() => readEnv({ ...production, CLERK_JWT_KEY: 'hush' })).not.toThrow('hush')
  })
})

describe('the key that signs proofs', () => {
  test.each([
    ['as openssl writes it', SIGNING_PEM],
    ['on one line', SIGNING_PEM.replaceAll('\n', '')],
    ['with its line breaks written out', SIGNING_PEM.replaceAll('\n', String.raw`\n`)],
  ])('is taken %s', (_how, value) => {
    expect(readEnv({ ...production, PROOF_SIGNING_KEY: value }).PROOF_SIGNING_KEY).toBe(SIGNING_PEM)
  })

  test.each([
    ['no key', 'secret'],
    ['a public key', PEM],
    ['half of a key', SIGNING_PEM.replace(/.{20}\n-----END/, '\n-----END')],
    ['a key of another kind', anRsaKey()],
  ])('stops the start where it is %s', (_what, value) => {
    const reading = () => readEnv({ ...production, PROOF_SIGNING_KEY: value })
    expect(reading).toThrow(
      /Must be a private Ed25519 key[^]*openssl genpkey -algorithm ed25519[^]*at PROOF_SIGNING_KEY/,
    )
  })

  test('is not repeated by the refusal', () => {
    expect(() => readEnv({ ...production, PROOF_SIGNING_KEY: 'hush' })).not.toThrow('hush')
  })

  test('is made as the refusal to start without it says', () => {
    const reading = () => readEnv({ ...production, PROOF_SIGNING_KEY: '' })
    expect(reading).toThrow('openssl genpkey -algorithm ed25519')
  })
})

function anRsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

test.each([
  ['CLERK_SECRET_KEY', 'pk_live_x', "Clerk's secret key"],
  ['CLERK_SECRET_KEY', 'sk_live_x\n', "Clerk's secret key"],
  ['STRIPE_SECRET_KEY', 'pk_live_y', "Stripe's secret"],
  ['STRIPE_SECRET_KEY', '"sk_live_y"', "Stripe's secret"],
  ['STRIPE_WEBHOOK_SECRET', 'we_1abc', 'signing secret'],
  ['STRIPE_WEBHOOK_SECRET', 'https://traxx.example/stripe/webhook', 'signing secret'],
  ['MAILGUN_WEBHOOK_KEY', 'key with spaces', 'one word'],
  ['METRICS_TOKEN', 'sixteen letters and more', 'one word'],
  ['S3_SECRET_ACCESS_KEY', 'kéy', 'one word'],
  ['S3_BUCKET', 's3://pdfs/', 'name of a bucket'],
  ['SMTP_URL', 'smtps://', 'SMTP_URL'],
  ['SMTP_URL', 'mail.example:587', 'SMTP_URL'],
  ['MAIL_FROM', 'TRAXX', 'email address'],
  ['MAIL_FROM', 'TRAXX <hello@>', 'email address'],
  ['MAIL_FROM', 'TRAXX <hello@traxx.example>\nBcc: all@traxx.example', 'email address'],
])('%s is not taken as %j', (name, value, fault) => {
  const reading = () => readEnv({ ...production, [name]: value })
  expect(reading).toThrow(name)
  expect(reading).toThrow(fault)
})

test('a restricted key of Stripe will do, and an address without a name', () => {
  expect(readEnv({ ...production, STRIPE_SECRET_KEY: 'rk_live_y', MAIL_FROM: 'hello@traxx.example' })).toMatchObject({
    STRIPE_SECRET_KEY: 'rk_live_y',
    MAIL_FROM: 'hello@traxx.example',
  })
})

test('a service with half of its keys is refused, so that no stand-in takes its place', () => {
  expect(() => readEnv({ CLERK_SECRET_KEY: 'sk_test_x' })).toThrow('missing: CLERK_PUBLISHABLE_KEY')
  expect(() => readEnv({ STRIPE_SECRET_KEY: 'sk_test_y' })).toThrow('missing: STRIPE_WEBHOOK_SECRET')
  expect(() => readEnv({ S3_BUCKET: 'pdfs', S3_REGION: 'eu' })).toThrow(
    'missing: S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
  )
  expect(() => readEnv({ ...production, S3_BUCKET: 'pdfs' })).toThrow('missing: S3_ENDPOINT')
})

test('the database has one URL, or one for each of three roles', () => {
  expect(() => readEnv({ ...production, SYSTEM_DATABASE_URL: 'postgres://s:p@localhost/traxx' })).toThrow(
    'missing: MIGRATION_DATABASE_URL',
  )
  expect(() => readEnv({ MIGRATION_DATABASE_URL: 'postgres://o:p@localhost/traxx' })).toThrow(
    'missing: DATABASE_URL, SYSTEM_DATABASE_URL',
  )
  const roles = { SYSTEM_DATABASE_URL: 'postgres://s:p@db/traxx', MIGRATION_DATABASE_URL: 'postgres://o:p@db/traxx' }
  expect(() => readEnv({ ...production, ...roles })).toThrow(
    /without encryption .*SYSTEM_DATABASE_URL.*MIGRATION_DATABASE_URL/,
  )
})

test('proxies are named by their addresses', () => {
  expect(readEnv({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' })).toMatchObject({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' })
  for (const list of ['proxy.test', '10.0.0.1,', 'true']) {
    expect(() => readEnv({ TRUSTED_PROXIES: list })).toThrow('TRUSTED_PROXIES')
  }
})

describe('how long history is kept', () => {
  test('is a setting of each kind', () => {
    const days = Object.keys(STORAGE_VARIABLES).filter((name) => name.startsWith('KEEP_'))
    const numbers = days.map((_name, index) => 100 + index)
    const set = Object.fromEntries(days.map((name, index) => [name, String(100 + index)]))
    expect(new Set(Object.values(readEnv(set).storage.keptDays))).toEqual(new Set(numbers))
    expect(days).toHaveLength(Object.keys(STORAGE.keptDays).length)
    expect(readEnv({}).storage).toEqual(STORAGE)
  })

  test.each([
    ['KEEP_FAILED_ROWS_DAYS', 1],
    ['KEEP_READ_NOTIFICATIONS_DAYS', 1],
    ['KEEP_UNREAD_NOTIFICATIONS_DAYS', 1],
    ['KEEP_CLEARED_NOTIFICATIONS_DAYS', 1],
    ['KEEP_STRIPE_EVENTS_DAYS', 4],
    ['KEEP_JOB_RUNS_DAYS', 2],
    ['KEEP_MAIL_COUNTS_DAYS', 1],
    ['KEEP_ENDED_ACCOUNTS_DAYS', 60],
  ])('is at least what %s needs, %i, and at most ten years', (name, fewest) => {
    for (const days of [fewest, 3650]) expect(readEnv({ [name]: String(days) })).toMatchObject({ [name]: days })
    for (const days of [fewest - 1, 3651, 7.5, 'ever']) expect(() => readEnv({ [name]: String(days) })).toThrow(name)
  })
})
