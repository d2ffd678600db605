import { liftStop } from '#server/deliverability/mail-stops.service.ts'
import { StartError } from '#server/start-error.ts'
import { reasonOf, withAccount } from './account-database.ts'

const USAGE = 'npm run operator -- lift-stop ann@example.com'

/** `npm run operator -- lift-stop <email or account ID>` lets mail to the customers of that account go out again. */
try {
  process.stdout.write(`${await runCommand(process.argv.slice(2))}\n`)
} catch (error) {
  process.stderr.write(`Nothing was changed: ${reasonOf(error)}\n`)
  process.exitCode = 1
}

async function runCommand([command, named, ...others]: string[]): Promise<string> {
  if (command !== 'lift-stop' || !named || others.length > 0) throw new StartError(`use it as in: ${USAGE}`)
  return withAccount(named, async ({ db, id }) => {
    const isLifted = await liftStop({ db }, id, new Date())
    return isLifted ? `Customer emails of ${named} have resumed` : `Customer emails of ${named} were not paused`
  })
}
