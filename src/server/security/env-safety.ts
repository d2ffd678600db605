import { isLocal, isLoopback } from './local-addresses.ts'
import { StartError } from '#server/start-error.ts'

/** What may be reached without TLS in production, where an operator says so. */
export const UNENCRYPTED = ['database', 'files', 'mail', 'web'] as const
export type Unencrypted = (typeof UNENCRYPTED)[number]

/** Without its variable, each is replaced by a local one, in which anybody can sign in or read the mail. */
const REPLACED = { CLERK_SECRET_KEY: 'Clerk', STRIPE_SECRET_KEY: 'Stripe', SMTP_URL: 'the mail server' } as const
const REPLACEABLE = ['CLERK_SECRET_KEY', 'STRIPE_SECRET_KEY', 'SMTP_URL'] as const
const DATABASES = ['DATABASE_URL', 'SYSTEM_DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const
type Variable = keyof typeof REPLACED | (typeof DATABASES)[number] | 'PUBLIC_URL' | 'S3_ENDPOINT'

/** What of the environment decides whether it is safe. */
interface Reach extends Partial<Record<Variable, string | undefined>> {
  isProduction: boolean
  ALLOW_UNENCRYPTED: Unencrypted[]
}

/** @throws StartError where strangers could reach the local services, or production would send anything in the clear */
export function refuseUnsafe(env: Reach): void {
  if (env.isProduction) refuseInTheClear(env)
  else refuseLocalServicesForStrangers(env)
}

/** The variables whose services are replaced by local ones; none in production. */
export function replacedLocally(env: Reach): (keyof typeof REPLACED)[] {
  return env.isProduction ? [] : REPLACEABLE.filter((name) => env[name] === undefined)
}

function refuseLocalServicesForStrangers(env: Reach): void {
  const missing = replacedLocally(env)
  const host = env.PUBLIC_URL && hostOf(new URL(env.PUBLIC_URL))
  if (!host || missing.length === 0 || isLocal(host)) return
  throw new StartError(
    `PUBLIC_URL is ${host}, which others can reach, but this server would use local replacements for ` +
      `${missing.map((name) => `${REPLACED[name]} (no ${name})`).join(', ')}, which are open to anybody. ` +
      'Set NODE_ENV=production and the variables it needs, or remove PUBLIC_URL',
  )
}

interface Link {
  kind: Unencrypted
  variable: Variable
  /** What makes it encrypted. */
  advice: string
  isEncrypted: (url: URL) => boolean
}

const LINKS: readonly Link[] = [
  { kind: 'web', variable: 'PUBLIC_URL', advice: 'https://', isEncrypted: isHttps },
  { kind: 'files', variable: 'S3_ENDPOINT', advice: 'https://', isEncrypted: isHttps },
  {
    kind: 'mail',
    variable: 'SMTP_URL',
    advice: 'smtps://, or ?requireTLS=true at its end',
    isEncrypted: (url) => url.protocol === 'smtps:' || lastOf(url, 'requireTLS') === 'true',
  },
  ...DATABASES.map((variable) => ({
    kind: 'database' as const,
    variable,
    advice: '?sslmode=verify-full at its end',
    isEncrypted: (url: URL) => ['require', 'verify-ca', 'verify-full'].includes(lastOf(url, 'sslmode') ?? ''),
  })),
]

function refuseInTheClear(env: Reach): void {
  const open = LINKS.filter(({ kind, variable, isEncrypted }) => {
    const value = env[variable]
    if (value === undefined || env.ALLOW_UNENCRYPTED.includes(kind)) return false
    const url = new URL(value)
    return !isEncrypted(url) && !isLoopback(hostOf(url))
  })
  if (open.length === 0) return
  const faults = open.map(({ variable, advice }) => `${variable} (use ${advice})`).join(', ')
  const kinds = [...new Set(open.map(({ kind }) => kind))].join(',')
  throw new StartError(
    `Production would connect without encryption to ${faults}. ` +
      `If the network in between is your own, allow it with ALLOW_UNENCRYPTED=${kinds}`,
  )
}

function isHttps({ protocol }: URL): boolean {
  return protocol === 'https:'
}

/** Drivers take the last of a repeated parameter. */
function lastOf({ searchParams }: URL, name: string): string | undefined {
  return searchParams.getAll(name).at(-1)
}

/** PostgreSQL's socket folder or another host may be in the parameters. */
function hostOf(url: URL): string {
  const host = url.protocol.startsWith('postgres') ? lastOf(url, 'host') : undefined
  return (host || url.hostname).replaceAll(/[[\]]/g, '')
}
