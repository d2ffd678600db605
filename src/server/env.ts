import { isIP } from 'node:net'
import { z } from 'zod'
import { frontendHost } from '#shared/identity-script.ts'
import { isSender, keyOf, pemPublicKey, pemSigningKey, secretWord } from './security/env-keys.ts'
import { refuseUnsafe, UNENCRYPTED } from './security/env-safety.ts'
import { COMPLAINT_LIMITS } from '#shared/domain/complaint-rate.ts'
import type { LimitSettings } from './limits/allowances.ts'
import type { Storage } from './limits/quotas.ts'
import { LIMIT_VARIABLES, limitsOf, STORAGE_VARIABLES, storageOf } from './limits/variables.ts'
import { StartError } from './start-error.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const mails = z.coerce.number().int().min(0).max(1_000_000)

const secret = secretWord.optional()

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ }).optional()

const Variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().min(1).default('localhost'),
  PORT: port.default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  HSTS_SUBDOMAINS: z.enum(['on', 'off']).default('off'),
  TRUSTED_PROXIES: z.string().refine(areAddresses, 'Must be IP addresses or networks, with commas between').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: databaseUrl,
  SYSTEM_DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl,
  CLERK_PUBLISHABLE_KEY: z.string().refine(namesHost, "Must be Clerk's publishable key, pk_…").optional(),
  CLERK_SECRET_KEY: keyOf("Clerk's secret key", ['sk_']).optional(),
  CLERK_JWT_KEY: pemPublicKey.optional(),
  STRIPE_SECRET_KEY: keyOf("Stripe's secret or restricted key", ['sk_', 'rk_']).optional(),
  STRIPE_WEBHOOK_SECRET: keyOf("the signing secret of Stripe's webhook endpoint", ['whsec_']).optional(),
  STRIPE_PRICE_LOOKUP_KEY: z.string().min(1).default('traxx_pro_monthly'),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: secret,
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]*$/i, 'Must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: secret,
  S3_SECRET_ACCESS_KEY: secret,
  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./ }).optional(),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'Must be an email address, or Name <address>')
    .default('TRAXX <reminders@traxx.test>'),
  CONTACT_MAIL: z.email().optional(),
  SECURITY_CONTACT: z.union([z.email(), z.url({ protocol: /^https$/ })]).optional(),
  MAILGUN_WEBHOOK_KEY: secret,
  PROOF_SIGNING_KEY: pemSigningKey.optional(),
  ALLOW_UNENCRYPTED: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter((word) => word !== ''))
    .pipe(z.array(z.enum(UNENCRYPTED))),
  MAIL_LIMIT_PER_ADDRESS: mails.default(5),
  MAIL_LIMIT_TRIAL: mails.default(50),
  MAIL_LIMIT_PAID: mails.default(1000),
  JOBS: z.enum(['on', 'off']).default('on'),
  METRICS_TOKEN: secretWord.min(16).optional(),
  OPERATOR_TOKEN: secretWord.min(24).optional(),
  BACKUP_KEY: secretWord.min(16).optional(),
  ...LIMIT_VARIABLES,
  ...STORAGE_VARIABLES,
  COMPLAINTS_TO_STOP: z.coerce.number().int().min(1).default(COMPLAINT_LIMITS.most),
  COMPLAINTS_PER_EMAILS: z.coerce.number().int().min(1).default(COMPLAINT_LIMITS.perMails),
  COMPLAINTS_TO_STOP_TRIAL: z.coerce.number().int().min(1).default(COMPLAINT_LIMITS.mostInTrial),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

/** Required in production, which has no local services. */
const NEEDED_IN_PRODUCTION = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'CLERK_PUBLISHABLE_KEY',
  'CLERK_SECRET_KEY',
  'CLERK_JWT_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'PROOF_SIGNING_KEY',
] as const

/** Services whose variables only make sense together. */
const TOGETHER = [
  ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
] as const

export type Env = z.output<typeof Variables> & { isProduction: boolean; limits: LimitSettings; storage: Storage }

/** The only reader of the environment; names every fault at once. @throws StartError */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(present)
  if (!parsed.success)
    throw new StartError(`Some environment variables are not valid:\n${z.prettifyError(parsed.error)}`)
  const isProduction = parsed.data.NODE_ENV === 'production'
  const needed = isProduction ? NEEDED_IN_PRODUCTION.filter((name) => !present[name]) : []
  refuseMissing([...new Set([...needed, ...halves(present)])])
  const env = { ...parsed.data, isProduction, limits: limitsOf(parsed.data), storage: storageOf(parsed.data) }
  refuseUnsafe(env)
  return env
}

/** Where traces are sent; undefined if nothing is traced. Separate, as tracing begins before anything else is loaded. */
export function readCollector(source: NodeJS.ProcessEnv = process.env): string | undefined {
  return source['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined
}

const DATABASE = ['DATABASE_URL', 'SYSTEM_DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const

function halves(present: Record<string, string | undefined>): string[] {
  // One URL of the tables' owner is enough; with another, there are three roles.
  const hasRoles = DATABASE.slice(1).some((name) => present[name])
  return [...TOGETHER, ...(hasRoles ? [DATABASE] : [])]
    .filter((names) => names.some((name) => present[name]))
    .flatMap((names) => names.filter((name) => !present[name]))
}

const HOW_TO_SIGN =
  'PROOF_SIGNING_KEY signs the proofs of what was sent. Make it once with `openssl genpkey -algorithm ed25519`, keep a copy, and give all servers the same'

function refuseMissing(names: readonly string[]): void {
  if (names.length === 0) return
  const advice = names.includes('PROOF_SIGNING_KEY') ? `. ${HOW_TO_SIGN}` : ''
  throw new StartError(`These environment variables are missing: ${names.join(', ')} (see .env.example)${advice}`)
}

/** The issuer of session tokens is read from it. */
function namesHost(publishableKey: string): boolean {
  try {
    return /^[a-z0-9.-]+$/i.test(frontendHost(publishableKey))
  } catch {
    return false
  }
}

function areAddresses(list: string): boolean {
  return list.split(',').every((one) => isIP(one.trim().replace(/\/\d{1,3}$/, '')) > 0)
}
