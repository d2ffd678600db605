import { parseArgs } from 'node:util'
import { dayIn, isDay, type Day } from '#shared/domain/day.ts'
import { refundFirstPayment, UnfinishedError, type Refunded } from '#server/refunds/refund.service.ts'
import { liftStop } from '#server/deliverability/mail-stops.service.ts'
import { StartError } from '#server/start-error.ts'
import { reasonOf, withAccount, type Outcome, type Variables } from './account-database.ts'

const USAGE =
  'npm run operator -- lift-stop ann@example.com, or: npm run operator -- refund ann@example.com [--written YYYY-MM-DD]'

/**
 * `npm run operator -- lift-stop <email or account ID>` lets mail to the customers of that account go out again.
 * `npm run operator -- refund <email or account ID> [--written YYYY-MM-DD]` gives its first payment back, and ends its
 * subscription; `--written` is the day on which its owner asked for that, today if absent.
 */
export async function operate(args: string[], variables?: Variables): Promise<Outcome> {
  try {
    return { status: 0, stdout: `${await runCommand(args, variables)}\n`, stderr: '' }
  } catch (error) {
    return { status: 1, stdout: '', stderr: `${sayingWhatWasDone(error)}\n` }
  }
}

function sayingWhatWasDone(error: unknown): string {
  return error instanceof UnfinishedError
    ? `Not finished: ${reasonOf(error)}. Run the same command again: it does what is missing, and nothing twice`
    : `Nothing was changed: ${reasonOf(error)}`
}

async function runCommand(args: string[], variables: Variables): Promise<string> {
  const { command, named, written } = readArgs(args)
  if (command === 'refund') return refund(variables, named, written)
  if (command !== 'lift-stop' || written !== undefined) throw new StartError(`use it as in: ${USAGE}`)
  return withAccount(variables, named, async ({ db, id }) => {
    const isLifted = await liftStop({ db }, id, new Date())
    return isLifted ? `Customer emails of ${named} have resumed` : `Customer emails of ${named} were not paused`
  })
}

function readArgs(args: string[]) {
  const options = { written: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [command, named, ...others] = positionals
  if (!command || !named || others.length > 0) throw new StartError(`use it as in: ${USAGE}`)
  return { command, named, written: values.written }
}

function refund(variables: Variables, named: string, written: string | undefined): Promise<string> {
  return withAccount(variables, named, async ({ db, openServices, ...payer }) => {
    const services = await openServices()
    const today = dayIn(services.billingNow(), payer.timeZone)
    const done = await refundFirstPayment({ db, services }, payer, writtenOn(written, today))
    return resultOf(named, done)
  })
}

function writtenOn(text: string | undefined, today: Day): Day {
  if (text === undefined) return today
  if (!isDay(text)) throw new StartError(`${text} is not a day, such as ${today}`)
  if (text > today) throw new StartError(`${text} is in the future`)
  return text
}

function resultOf(named: string, { amount, isNew, owner }: Refunded): string {
  if (!isNew) return `The first payment of ${named}, ${amount}, was refunded already`
  const told = {
    emailed: 'was emailed',
    'has no address': 'has no email address',
    'address refused': 'could not be emailed',
  }
  return `The first payment of ${named}, ${amount}, is refunded and the subscription canceled. The owner ${told[owner]}`
}
