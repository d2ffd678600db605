import { resolve } from 'node:path'
import { createClerkClient } from '@clerk/fastify'
import { frontendHost } from '#shared/identity-script.ts'
import type { Standins } from '#standins/main.ts'
import { openStripe, type StripeOptions } from '#server/billing/stripe.ts'
import type { IdentityConfig, Services } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { openLocalFiles } from '#server/files/local-files.ts'
import { openKeySet } from '#server/identity/key-set.ts'
import { tokenCheck } from '#server/identity/token-check.ts'
import { addressOf, openMailer } from '#server/mail/mailer.ts'
import { localHost, originsOf } from './origins.ts'

/** The outside services as the environment names them, or their stand-ins. */
export async function openServices(env: Env, standins: Standins | undefined): Promise<Services> {
  const now = () => new Date()
  const stripe = standins?.stripe
  return {
    ...identityServices(env, standins),
    stripe: openStripe(stripeOptions(env, standins)),
    stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET ?? present(stripe).webhookSecret,
    priceLookupKey: env.STRIPE_PRICE_LOOKUP_KEY,
    mailer: openMailer(env.MAIL_FROM, env.SMTP_URL ?? present(standins?.mailTransport)),
    contactMail: env.CONTACT_MAIL ?? addressOf(env.MAIL_FROM),
    mailWebhookKey: env.MAILGUN_WEBHOOK_KEY,
    mailLimits: {
      toAddress: env.MAIL_LIMIT_PER_ADDRESS,
      ofTrial: env.MAIL_LIMIT_TRIAL,
      ofPaying: env.MAIL_LIMIT_PAID,
    },
    complaintLimits: {
      most: env.COMPLAINTS_TO_STOP,
      perMails: env.COMPLAINTS_PER_EMAILS,
      mostInTrial: env.COMPLAINTS_TO_STOP_TRIAL,
    },
    publicUrl: originsOf(env)[0] ?? '',
    files: await openFiles(env),
    storage: env.storage,
    now,
    billingNow: stripe ? () => stripe.now() : now,
  }
}

// Amazon's SDK takes long to load and much memory, so only who has a bucket loads it.
async function openFiles(env: Env): Promise<FileStore> {
  if (!env.S3_BUCKET) return openLocalFiles(resolve(env.DATA_DIR, 'files'))
  const { openS3Files } = await import('#server/files/s3-files.ts')
  return openS3Files({
    endpoint: present(env.S3_ENDPOINT),
    region: present(env.S3_REGION),
    bucket: env.S3_BUCKET,
    accessKeyId: present(env.S3_ACCESS_KEY_ID),
    secretAccessKey: present(env.S3_SECRET_ACCESS_KEY),
  })
}

function identityServices(env: Env, standins: Standins | undefined) {
  const clerk = standins?.clerk
  const keys = clerk ?? {
    publishableKey: present(env.CLERK_PUBLISHABLE_KEY),
    secretKey: present(env.CLERK_SECRET_KEY),
    jwtKey: env.CLERK_JWT_KEY,
  }
  const apiUrl = clerk && `http://${localHost(env)}:${env.PORT}/__clerk`
  const identityConfig: IdentityConfig = {
    publishableKey: keys.publishableKey,
    ...(clerk && { proxyUrl: '/__clerk' }),
  }
  const { publishableKey, secretKey, jwtKey } = keys
  const telemetry = { disabled: true }
  const client = createClerkClient({ publishableKey, secretKey, telemetry, ...(apiUrl && { apiUrl }) })
  return {
    identityConfig,
    clerk: client,
    verifyToken: tokenCheck({
      findKey: jwtKey ? async () => jwtKey : openKeySet({ fetchKeys: () => client.jwks.getJwks() }),
      issuer: `https://${frontendHost(publishableKey)}`,
      authorizedParties: originsOf(env),
    }),
  }
}

function stripeOptions(env: Env, standins: Standins | undefined): StripeOptions {
  if (env.STRIPE_SECRET_KEY) return { secretKey: env.STRIPE_SECRET_KEY }
  const { secretKey } = present(standins?.stripe)
  return { secretKey, api: { host: localHost(env), port: env.PORT, protocol: 'http' } }
}

// readEnv has refused an environment in which a service has neither keys nor a stand-in.
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A service has neither keys nor a stand-in')
  return value
}
