import { existsSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { StartError } from '#server/start-error.ts'
import { readPostmaster } from './postmaster.ts'
import { createDatabase, probe, type Connection } from './probe.ts'
import { holdOpen, superviseServer, type Hold, type ServerCommand, type Supervised } from './supervisor.ts'

/** Long enough for a recovery after a crash. */
const TIMEOUT_MS = 120_000
const LOOK_EVERY_MS = 15
const OTHERS_KEEP_IT_MS = 500
const LARGEST_LOG = 5_000_000
/** Why the server gave up, and not what it told those who knocked too early. */
const FATAL = /FATAL:\s+(?!the database system is)(.*)/

export interface Plan {
  data: string
  connection: Connection
  server: Omit<ServerCommand, 'namesake'>
}

export interface Joined {
  adopted: boolean
  /** Lets go of the server, and waits until it has stopped unless another process still needs it. */
  leave: () => Promise<void>
}

/** Starts the server, or joins the one that already runs on this data folder. */
export async function joinServer(plan: Plan): Promise<Joined> {
  const hold = holdOpen(plan.server.pipe)
  try {
    const own = await untilReady(plan, hold)
    return { adopted: own === undefined, leave: () => leave(plan, hold, own) }
  } catch (error) {
    hold.release()
    throw error
  }
}

async function untilReady(plan: Plan, hold: Hold): Promise<Supervised | undefined> {
  const attempt = starter(plan)
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await setTimeout(LOOK_EVERY_MS)) {
    const answer = await probe(plan.connection)
    if (answer === 'no database') await createDatabase(plan.connection)
    if (answer === 'ready' && hold.confirm()) return attempt.running()
    if (answer === 'silent') attempt.start()
  }
  throw new StartError(`PostgreSQL was not ready after ${TIMEOUT_MS / 1000} seconds. Its log is ${plan.server.log}.`)
}

/** Only PostgreSQL itself can tell which of two processes may have the data folder; the other one ends, and waits. */
function starter({ data, server }: Plan) {
  let own: Supervised | undefined
  let failures = 0
  const logged = shortenLog(server.log)
  return {
    running: () => (own?.ended ? undefined : own),
    start: () => {
      if (own && !own.ended) return
      const other = readPostmaster(data)
      if (other?.running) return
      if (own) refuseRepeated(++failures, lastWords(server.log, logged))
      own = superviseServer({ ...server, namesake: other?.pid })
    },
  }
}

/** Losing the data folder to another process, or to what a killed server leaves, is no failure where it can be waited for. */
function refuseRepeated(failures: number, words: string): void {
  const allowed = /^(lock file|pre-existing shared memory)/.test(words) ? 50 : 1
  if (failures > allowed) throw new StartError(`PostgreSQL did not start: ${words}`)
}

/** Bounds the size of the log. Returns how much of it is from earlier starts. */
function shortenLog(log: string): number {
  const size = existsSync(log) ? statSync(log).size : 0
  if (size <= LARGEST_LOG) return size
  truncateSync(log)
  return 0
}

function lastWords(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString().trim().split('\n')
  const fatal = lines.map((line) => FATAL.exec(line)?.[1]).findLast((words) => words !== undefined)
  return fatal ?? lines.at(-1) ?? 'no reason given'
}

async function leave({ data }: Plan, hold: Hold, own: Supervised | undefined): Promise<void> {
  hold.release()
  const since = Date.now()
  for (;;) {
    const server = readPostmaster(data)
    if (!server?.running && own?.ended !== false) return
    if (server?.running && !server.stopping && Date.now() - since > OTHERS_KEEP_IT_MS) return
    await setTimeout(10)
  }
}
