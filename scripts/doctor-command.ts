import { resolve } from 'node:path'
import { createClerkClient } from '@clerk/fastify'
import { openStripe } from '#server/billing/stripe.ts'
import { joinDatabase } from '#server/boot/choose-database.ts'
import { findLocalEnvironment } from '#server/boot/find-local-environment.ts'
import { openFiles } from '#server/boot/open-services.ts'
import { originsOf } from '#server/boot/origins.ts'
import { checkDatabase } from '#server/doctor/check-database.ts'
import {
  checkClerk,
  checkMail,
  checkMailEvents,
  checkProofs,
  checkPublicUrl,
  checkStripe,
} from '#server/doctor/check-services.ts'
import { checkDisk, checkFiles } from '#server/doctor/check-storage.ts'
import { runChecks, type Check, type Finding } from '#server/doctor/finding.ts'
import { readEnv, type Env } from '#server/env.ts'
import { reasonOf, type Outcome, type Variables } from './account-database.ts'

const MARKS = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' }

/**
 * `npm run doctor` checks the configuration and everything that it names, and says what to do. It sends nothing, and stores only
 * a file that it removes again; its exit code is 1 if anything is a problem.
 */
export async function examine(variables?: Variables): Promise<Outcome> {
  const findings = await findingsOf(variables)
  const lines = findings.map(({ check, state, text }) => `${MARKS[state].padEnd(8)} ${check}: ${text}`)
  const status = findings.some(({ state }) => state === 'problem') ? 1 : 0
  return { status, stdout: `${lines.join('\n')}\n`, stderr: '' }
}

async function findingsOf(variables: Variables): Promise<Finding[]> {
  let env: Env
  try {
    env = readEnv(variables)
  } catch (error) {
    return [{ check: 'Configuration', state: 'problem', text: reasonOf(error) }]
  }
  const mode = env.isProduction ? 'production' : 'not production: what is missing is replaced by stand-ins'
  const configuration: Finding = { check: 'Configuration', state: 'ok', text: `The variables are valid (${mode})` }
  return [configuration, ...(await runChecks(checksOf(env)))]
}

function checksOf(env: Env): [string, Check][] {
  const [publicUrl = ''] = originsOf(env)
  const checks: [string, Check | undefined][] = [
    ['Database', () => ofDatabase(env)],
    ['Files', async () => checkFiles(await openFiles(env))],
    ['Disk', () => checkDisk(env.DATABASE_URL && env.S3_BUCKET ? [] : [resolve(env.DATA_DIR)])],
    ['Mail', env.SMTP_URL ? () => checkMail(env.SMTP_URL ?? '') : undefined],
    ['Mail events', env.SMTP_URL ? async () => checkMailEvents(env.MAILGUN_WEBHOOK_KEY) : undefined],
    ['Proofs', env.PROOF_SIGNING_KEY ? async () => checkProofs(env.PROOF_SIGNING_KEY ?? '') : undefined],
    ['Clerk', env.CLERK_SECRET_KEY ? () => ofClerk(env) : undefined],
    ['Stripe', env.STRIPE_SECRET_KEY ? () => ofStripe(env, publicUrl) : undefined],
    ['Public address', () => checkPublicUrl(publicUrl)],
  ]
  return checks.flatMap(([name, check]) => (check ? [[name, check] satisfies [string, Check]] : []))
}

async function ofDatabase(env: Env): Promise<Finding[]> {
  const chosen = await joinDatabase(env, await findLocalEnvironment(env))
  try {
    return await checkDatabase(chosen)
  } finally {
    await chosen.embedded?.stop()
  }
}

function ofClerk({ CLERK_PUBLISHABLE_KEY: publishableKey = '', CLERK_SECRET_KEY: secretKey = '', CLERK_JWT_KEY }: Env) {
  return checkClerk(createClerkClient({ publishableKey, secretKey, telemetry: { disabled: true } }), CLERK_JWT_KEY)
}

function ofStripe({ STRIPE_SECRET_KEY: secretKey = '', STRIPE_PRICE_LOOKUP_KEY: lookupKey }: Env, publicUrl: string) {
  return checkStripe({ stripe: openStripe({ secretKey }), lookupKey, webhookUrl: `${publicUrl}/stripe/webhook` })
}
