import type { FastifyPluginAsync } from 'fastify'
import type { Env } from '#server/env.ts'
import { refuseOtherNetworks } from '#server/http/local-network-only.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'
import { styleHash } from '#server/security/style-hash.ts'

/** What this machine runs itself, where the environment names nothing else. */
export type LocalNames = Record<'database' | 'identity' | 'billing' | 'mail', string>

const NONE = 'None'

/** Which service of its kind is in use, and the variables that choose it. */
interface Setting {
  kind: string
  inUse: string
  variables: readonly (keyof Env)[]
}

/** /debug: names what is configured, never a variable's value, to this machine and its network. Not in production. */
export function debugPage(env: Env, local?: LocalNames): FastifyPluginAsync {
  const html = pageOf(env, local)
  return async (app) => {
    refuseOtherNetworks(app)
    app.get('/debug', async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').allowStyle(STYLE_HASH).send(html),
    )
  }
}

function settingsOf(env: Env, local: Partial<LocalNames> = {}): Setting[] {
  const { DATABASE_URL, S3_BUCKET, CLERK_SECRET_KEY, STRIPE_SECRET_KEY, SMTP_URL, MAILGUN_WEBHOOK_KEY } = env
  return [
    {
      kind: 'Database',
      inUse: DATABASE_URL ? 'PostgreSQL, from DATABASE_URL' : (local.database ?? NONE),
      variables: ['DATABASE_URL', 'SYSTEM_DATABASE_URL', 'MIGRATION_DATABASE_URL'],
    },
    { kind: 'Sign-in', inUse: CLERK_SECRET_KEY ? 'Clerk' : (local.identity ?? NONE), variables: CLERK },
    { kind: 'Payment', inUse: STRIPE_SECRET_KEY ? 'Stripe' : (local.billing ?? NONE), variables: STRIPE },
    { kind: 'Mail', inUse: SMTP_URL ? 'SMTP' : (local.mail ?? NONE), variables: ['SMTP_URL'] },
    { kind: 'Mail events', inUse: MAILGUN_WEBHOOK_KEY ? 'Mailgun' : NONE, variables: ['MAILGUN_WEBHOOK_KEY'] },
    { kind: 'Files', inUse: S3_BUCKET ? 'A bucket' : 'A folder on this machine', variables: BUCKET },
  ]
}

const CLERK = ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY', 'CLERK_JWT_KEY'] as const
const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
const BUCKET = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

function pageOf(env: Env, local: LocalNames | undefined): string {
  const rows = settingsOf(env, local).map(
    ({ kind, inUse, variables }) => `<tr><th scope="row">${escapeHtml(kind)}</th><td>${escapeHtml(inUse)}</td>
<td><ul>${variables.map((name) => variableItem(name, env[name] !== undefined)).join('')}</ul></td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Configuration · TRAXX</title><style>${STYLE}</style></head>
<body><main><h1>Configuration</h1>
<p>What this server works with. Values are never shown, and in production there is no such page.</p>
<table><thead><tr><th scope="col">Service</th><th scope="col">In use</th><th scope="col">Variables</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
<p><a href="/">Back to TRAXX</a></p></main></body></html>`
}

function variableItem(name: string, isSet: boolean): string {
  return `<li><code>${name}</code> ${isSet ? '<strong>set</strong>' : 'not set'}</li>`
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.6 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0;background:light-dark(#fbfaf8,#101319);color:light-dark(#14171e,#f0f1f4)}
main{max-width:52rem;margin:0 auto;padding:8vh 1.25rem}
h1{margin:0;font-size:1.75rem;letter-spacing:-.02em}
table{width:100%;margin:1.5rem 0;border-collapse:collapse;background:light-dark(#fff,#181c25);font-size:.9375rem}
th,td{padding:.75rem 1rem;border:1px solid light-dark(#e5e2dc,#2a303d);text-align:left;vertical-align:top}
ul{margin:0;padding:0;list-style:none;color:light-dark(#535a68,#a6adbb)}
li{display:flex;flex-wrap:wrap;gap:0 .75rem;justify-content:space-between}
strong{color:light-dark(#1b6e3c,#6fd398)}code{font-size:.8125rem;overflow-wrap:anywhere}
a{color:light-dark(#2f46dd,#9cabff)}
@media (width<40rem){thead{position:absolute;clip-path:inset(50%)}tr,th,td{display:block}th[scope=row]{border-bottom:0;padding-bottom:0}td{border-block:0;padding-block:.25rem}tr{padding-bottom:.5rem;border-bottom:1px solid light-dark(#e5e2dc,#2a303d)}}`

const STYLE_HASH = styleHash(STYLE)
