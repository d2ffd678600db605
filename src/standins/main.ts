import type { Transport } from 'nodemailer'
import type { FastifyPluginAsync } from 'fastify'
import type { PoolConfig } from 'pg'
import { openPool } from '#server/db/pool.ts'
import type { Env } from '#server/env.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { localHost } from '#server/boot/origins.ts'
import { openClerkStandin, type ClerkStandin } from './clerk/clerk-standin.ts'
import { openMailbox } from './mailbox/mailbox.ts'
import { openStripeStandin, type StripeStandin } from './stripe/stripe-standin.ts'

/** What stands in for the services that the environment has no keys for. */
export interface Standins {
  clerk: ClerkStandin | undefined
  stripe: StripeStandin | undefined
  mailTransport: Transport | undefined
  plugin: FastifyPluginAsync
  close(): Promise<void>
}

export type OpenStandins = (env: Env, connection: PoolConfig) => Promise<Standins>

/** Stand-ins of Clerk, Stripe and a mail server, for a machine without their keys. Never in production. */
export async function openStandins(env: Env, connection: PoolConfig): Promise<Standins> {
  if (env.isProduction) throw new Error('Stand-ins must not run in production')
  const pool = openPool({ ...connection, max: 6 })
  const mailbox = env.SMTP_URL ? undefined : await openMailbox({ pool })
  const mailer = openMailer(env.MAIL_FROM, env.SMTP_URL ?? mailbox?.transport ?? '')
  const sendMail = async (message: { to: string; subject: string; text: string }) => void (await mailer.send(message))
  const clerk = env.CLERK_SECRET_KEY ? undefined : await openClerkStandin({ pool, sendMail })
  const webhookUrl = () => `http://${localHost(env)}:${env.PORT}/stripe/webhook`
  const stripe = env.STRIPE_SECRET_KEY ? undefined : await openStripeStandin({ pool, webhookUrl })
  return {
    clerk,
    stripe,
    mailTransport: mailbox?.transport,
    plugin: async (app) => {
      if (mailbox) await app.register(mailbox.plugin)
      if (clerk) await app.register(clerk.plugin, { prefix: '/__clerk' })
      if (stripe) await app.register(stripe.plugin)
    },
    close: async () => {
      await stripe?.close()
      await pool.end()
    },
  }
}
