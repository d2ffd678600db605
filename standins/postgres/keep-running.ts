import { readPostmaster } from './postmaster.ts'
import { joinServer, type Joined, type Plan } from './start-postgres.ts'

const LOOK_EVERY_MS = 2000

/**
 * Joins the server, and restarts it if it was killed from outside. Where that fails the process ends with the
 * reason, so that whatever watches over it can start it again.
 */
export async function keepServer(plan: Plan): Promise<Joined> {
  const first = await joinServer(plan)
  let [joined, revival]: [Joined | undefined, Promise<void> | undefined] = [first, undefined]
  const revive = async () => {
    await joined?.leave()
    joined = undefined
    joined = await joinServer(plan)
    revival = undefined
  }
  const timer = setInterval(() => {
    if (revival || readPostmaster(plan.data)?.running) return
    process.emitWarning('PostgreSQL was stopped by another program; starting it again')
    revival = revive()
  }, LOOK_EVERY_MS).unref()
  return {
    adopted: first.adopted,
    leave: async () => {
      clearInterval(timer)
      await revival
      await joined?.leave()
    },
  }
}
