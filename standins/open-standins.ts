import type { PoolConfig } from 'pg'
import type { LocalServices } from '#server/boot/local-environment.ts'
import { localHost } from '#server/boot/origins.ts'
import { openPool } from '#server/db/connections/pool.ts'
import type { Env } from '#server/env.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { openClerkStandin } from './clerk/clerk-standin.ts'
import { openMailbox } from './mailbox/mailbox.ts'
import { openStripeStandin } from './stripe/stripe-standin.ts'

const CLERK_PATH = '/__clerk'

/** Stand-ins of Clerk, Stripe and a mail server, as far as the environment has no keys for them. Never in production. */
export async function openStandins(env: Env, connection: PoolConfig): Promise<LocalServices> {
  if (env.isProduction) throw new Error('Stand-ins must not run in production')
  const pool = openPool({ ...connection, max: 6 })
  const api = { host: localHost(env), port: env.PORT, protocol: 'http' } as const
  const url = `http://${api.host}:${api.port}`
  const mailbox = env.SMTP_URL ? undefined : await openMailbox({ pool })
  const mailer = openMailer(env.MAIL_FROM, env.SMTP_URL ?? mailbox?.transport ?? '')
  const sendMail = async (message: { to: string; subject: string; text: string }) => void (await mailer.send(message))
  const clerk = env.CLERK_SECRET_KEY ? undefined : await openClerkStandin({ pool, sendMail })
  const webhookUrl = () => `${url}/stripe/webhook`
  const stripe = env.STRIPE_SECRET_KEY ? undefined : await openStripeStandin({ pool, webhookUrl })
  return {
    identity: clerk && { ...clerk, proxyUrl: CLERK_PATH, apiUrl: `${url}${CLERK_PATH}` },
    billing: stripe && { ...stripe, api },
    mailTransport: mailbox?.transport,
    plugin: async (app) => {
      if (mailbox) await app.register(mailbox.plugin)
      if (clerk) await app.register(clerk.plugin, { prefix: CLERK_PATH })
      if (stripe) await app.register(stripe.plugin)
    },
    close: async () => {
      await stripe?.close()
      await pool.end()
    },
  }
}
