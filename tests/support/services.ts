import { dirname } from 'node:path/posix'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createClerkClient } from '@clerk/fastify'
import Stripe from 'stripe'
import { COMPLAINT_LIMITS } from '#shared/domain/complaint-rate.ts'
import type { Services } from '#server/context.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { STORAGE } from '#server/limits/quotas.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { openSigner } from '#server/security/signing-key.ts'
import { aSigningKey } from './public-key.ts'

/** Noon in UTC of the day that tests call today. */
export const NOON = new Date('2026-03-10T12:00:00Z')

/** The key of all accounts of a test file. */
const SIGNER = openSigner(aSigningKey())

/**
 * The outside services as tests see them: a session token is `session:<user id>`, or
 * `session:<user id>:<minutes>` where the sign-in was so long ago; files live in memory, and the
 * clients of Clerk and Stripe point at a port where nobody answers.
 */
export function fakeServices(changes: Partial<Services> = {}): Services {
  return {
    circuits: [],
    identityConfig: { publishableKey: 'pk_test_Y2xlcmsubG9jYWwudGVzdCQ=', proxyUrl: '/__clerk' },
    clerk: createClerkClient({
      secretKey: 'sk_test_nobody',
      apiUrl: 'http://127.0.0.1:9',
      telemetry: { disabled: true },
    }),
    verifyToken: async (token) => {
      const [kind, userId, minutes = 0] = token.split(':')
      if (kind !== 'session' || !userId) throw new Error('not a session token')
      return { userId, expiresAt: new Date(Date.now() + 60_000), factorAge: [Number(minutes), -1] }
    },
    stripe: new Stripe('sk_test_nobody', {
      host: '127.0.0.1',
      port: 9,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    }),
    stripeWebhookSecret: 'whsec_test',
    priceLookupKey: 'traxx_pro_monthly',
    mailer: openMailer('TRAXX <reminders@traxx.test>', 'smtp://127.0.0.1:9'),
    contactMail: 'owner@traxx.test',
    proofSigner: SIGNER,
    mailWebhookKey: 'key-test',
    mailLimits: { toAddress: 5, ofTrial: 50, ofPaying: 1000 },
    complaintLimits: COMPLAINT_LIMITS,
    publicUrl: 'http://localhost:3000',
    files: memoryFiles(),
    storage: STORAGE,
    now: () => NOON,
    billingNow: () => NOON,
    ...changes,
  }
}

/** Files that are only remembered; each was written at the real time, whatever the test's clock says. */
export function memoryFiles(): FileStore {
  const files = new Map<string, { bytes: Buffer; changedAt: Date }>()
  const found = (key: string) => {
    const file = files.get(key)
    if (!file) throw new Error(`There is no file ${key}`)
    return file
  }
  return {
    async *list(folder) {
      for (const [key, { changedAt }] of files) if (dirname(key) === folder) yield { key, changedAt }
    },
    exists: async (key) => files.has(key),
    open: async (key) => {
      const { bytes } = found(key)
      const part = ({ start, end } = { start: 0, end: bytes.length - 1 }) => bytes.subarray(start, end + 1)
      return { size: bytes.length, read: async (range) => Readable.from([part(range)]) }
    },
    write: async (key, stream) => void files.set(key, { bytes: await buffer(stream), changedAt: new Date() }),
    move: async (key, newKey) => {
      files.set(newKey, found(key))
      files.delete(key)
    },
    remove: async (key) => void files.delete(key),
  }
}
