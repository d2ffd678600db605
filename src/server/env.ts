import { isIP } from 'node:net'
import { z } from 'zod'
import { StartError } from './start-error.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const given = z.string().min(1).optional()

const Variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().min(1).default('localhost'),
  PORT: port.default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUSTED_PROXIES: z.string().refine(areAddresses, 'Must be IP addresses or networks, with commas between').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CLERK_PUBLISHABLE_KEY: given,
  CLERK_SECRET_KEY: given,
  CLERK_JWT_KEY: given,
  STRIPE_SECRET_KEY: given,
  STRIPE_WEBHOOK_SECRET: given,
  STRIPE_PRICE_LOOKUP_KEY: z.string().min(1).default('traxx_pro_monthly'),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: given,
  S3_BUCKET: given,
  S3_ACCESS_KEY_ID: given,
  S3_SECRET_ACCESS_KEY: given,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).default('TRAXX <reminders@traxx.test>'),
  CONTACT_MAIL: z.email().optional(),
  MAILGUN_WEBHOOK_KEY: given,
  JOBS: z.enum(['on', 'off']).default('on'),
  METRICS_TOKEN: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

/** What production cannot do without: the stand-ins of these services do not exist there. */
const NEEDED_IN_PRODUCTION = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'CLERK_PUBLISHABLE_KEY',
  'CLERK_SECRET_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
] as const

/** Services whose variables only make sense together. */
const TOGETHER = [
  ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
] as const

export type Env = z.output<typeof Variables> & { isProduction: boolean }

/** The only reader of the environment; names every fault at once. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(present)
  if (!parsed.success) throw new StartError(`The environment is not usable:\n${z.prettifyError(parsed.error)}`)
  const isProduction = parsed.data.NODE_ENV === 'production'
  const needed = isProduction ? NEEDED_IN_PRODUCTION.filter((name) => !present[name]) : []
  refuseMissing([...new Set([...needed, ...halves(present)])])
  return { ...parsed.data, isProduction }
}

function halves(present: Record<string, string | undefined>): string[] {
  return TOGETHER.filter((names) => names.some((name) => present[name])).flatMap((names) =>
    names.filter((name) => !present[name]),
  )
}

function refuseMissing(names: readonly string[]): void {
  if (names.length > 0) throw new StartError(`The environment lacks ${names.join(', ')} (see .env.example)`)
}

function areAddresses(list: string): boolean {
  return list.split(',').every((one) => isIP(one.trim().replace(/\/\d{1,3}$/, '')) > 0)
}
