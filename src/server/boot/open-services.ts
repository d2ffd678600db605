import { resolve } from 'node:path'
import { createClerkClient } from '@clerk/fastify'
import { frontendHost } from '#shared/identity-script.ts'
import { openStripe, stripeCircuit, type StripeOptions } from '#server/billing/stripe.ts'
import type { IdentityConfig, Services } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import type { Circuit } from '#server/outside/circuit.ts'
import { bucketCircuit } from '#server/storage/bucket-circuit.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { openLocalFiles } from '#server/storage/local-files.ts'
import { clerkCircuit, guardClerk } from '#server/outside/clerk.ts'
import { openKeySet } from '#server/identity/key-set.ts'
import { tokenCheck } from '#server/identity/token-check.ts'
import { addressOf, openMailer } from '#server/mail/mailer.ts'
import { localSigningKey, openSigner } from '#server/security/signing-key.ts'
import type { LocalBilling, LocalIdentityProvider, LocalServices } from './local-environment.ts'
import { originsOf } from './origins.ts'

/** The outside services as the environment names them, or the local ones. */
export async function openServices(env: Env, local: LocalServices | undefined): Promise<Services> {
  const now = () => new Date()
  const billing = local?.billing
  const { clerk, ...identity } = identityServices(env, local?.identity)
  const [ofClerk, ofStripe, ofBucket] = [clerkCircuit(), stripeCircuit(), bucketCircuit()]
  return {
    ...identity,
    circuits: [ofClerk, ofStripe, ofBucket],
    clerk: guardClerk(clerk, ofClerk),
    stripe: openStripe(stripeOptions(env, billing), ofStripe),
    stripeWebhookSecret: env.STRIPE_WEBHOOK_SECRET ?? present(billing).webhookSecret,
    priceLookupKey: env.STRIPE_PRICE_LOOKUP_KEY,
    mailer: openMailer(env.MAIL_FROM, env.SMTP_URL ?? present(local?.mailTransport)),
    contactMail: env.CONTACT_MAIL ?? addressOf(env.MAIL_FROM),
    proofSigner: openSigner(env.PROOF_SIGNING_KEY ?? (await localSigningKey(resolve(env.DATA_DIR)))),
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
    files: await openFiles(env, ofBucket),
    storage: env.storage,
    now,
    billingNow: billing ? () => billing.now() : now,
  }
}

// Amazon's SDK takes long to load and much memory, so only who has a bucket loads it.
export async function openFiles(env: Env, circuit?: Circuit): Promise<FileStore> {
  return env.S3_BUCKET ? openBucket(env, env.S3_BUCKET, circuit) : openLocalFiles(resolve(env.DATA_DIR, 'files'))
}

/** A bucket of the store that the environment names. */
export async function openBucket(env: Env, bucket: string, circuit?: Circuit): Promise<FileStore> {
  const { openS3Files } = await import('#server/storage/s3-files.ts')
  const options = {
    endpoint: present(env.S3_ENDPOINT),
    region: present(env.S3_REGION),
    bucket,
    accessKeyId: present(env.S3_ACCESS_KEY_ID),
    secretAccessKey: present(env.S3_SECRET_ACCESS_KEY),
  }
  return openS3Files(options, circuit)
}

function identityServices(env: Env, local: LocalIdentityProvider | undefined) {
  const keys = local ?? {
    publishableKey: present(env.CLERK_PUBLISHABLE_KEY),
    secretKey: present(env.CLERK_SECRET_KEY),
    jwtKey: env.CLERK_JWT_KEY,
  }
  const { publishableKey, secretKey, jwtKey } = keys
  const identityConfig: IdentityConfig = { publishableKey, ...(local && { proxyUrl: local.proxyUrl }) }
  const telemetry = { disabled: true }
  const client = createClerkClient({ publishableKey, secretKey, telemetry, ...(local && { apiUrl: local.apiUrl }) })
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

function stripeOptions(env: Env, local: LocalBilling | undefined): StripeOptions {
  return env.STRIPE_SECRET_KEY ? { secretKey: env.STRIPE_SECRET_KEY } : present(local)
}

// readEnv has refused an environment in which a service has neither keys nor a local one.
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A service has neither keys nor a local one')
  return value
}
