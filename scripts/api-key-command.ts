import { parseArgs } from 'node:util'
import { z } from 'zod'
import { dayIn } from '#shared/domain/day.ts'
import { CreateApiKey } from '#shared/schemas/accounts.ts'
import { issueApiKey, type NewApiKey } from '#server/identity/api-keys.service.ts'
import { StartError } from '#server/start-error.ts'
import { reasonOf, withAccount, type Outcome, type Variables } from './account-database.ts'

const OPTIONS = {
  name: { type: 'string', default: 'Command line' },
  scope: { type: 'string' },
  expires: { type: 'string' },
} as const
const EXAMPLE = 'npm run --silent api-key -- ann@example.com'

/**
 * `npm run --silent api-key -- <email> [--scope read|write|all] [--expires YYYY-MM-DD] [--name text]` prints a new API
 * key of that account, and nothing else. It may do all and has no end where that is not said.
 */
export async function makeApiKey(args: string[], variables?: Variables): Promise<Outcome> {
  try {
    const { key } = await newKey(args, variables)
    return { status: 0, stdout: `${key}\n`, stderr: '' }
  } catch (error) {
    return { status: 1, stdout: '', stderr: `No API key was created: ${reasonOf(error)}\n` }
  }
}

async function newKey(args: string[], variables: Variables): Promise<NewApiKey> {
  const { email, input } = readArgs(args)
  return withAccount(variables, email, ({ db, id: accountId, timeZone }) => {
    const today = dayIn(new Date(), timeZone)
    return db.writeAs(accountId, (em) => issueApiKey({ em, accountId, today }, input))
  })
}

function readArgs(args: string[]): { email: string; input: CreateApiKey } {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [email, ...others] = positionals
  if (!email || others.length > 0) throw new StartError(`give the email address of the account, as in: ${EXAMPLE}`)
  const input = CreateApiKey.safeParse({ name: values.name, scope: values.scope, expiresOn: values.expires })
  if (!input.success) throw new StartError(z.prettifyError(input.error))
  return { email, input: input.data }
}
