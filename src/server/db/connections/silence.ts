import { setTimeout as pause } from 'node:timers/promises'
import pg, { type ClientBase, type ClientConfig } from 'pg'

/** How long a statement may go without its answer before the database is asked whether it is there. */
const PATIENCE_MS = 4000
/** How long it has to say so. */
const ANSWER_MS = 4000
/** Between two questions to one that is silent. */
const ASK_EVERY_MS = 500

/** Tells a database that answers nothing, such as that of a machine that is gone, from a statement that takes long. */
export interface Watch {
  /** Whether the database has not answered for a while: what begins now would wait in vain. */
  isSilent(): boolean
  /** Calls `end` if the database falls silent before the function that it returns is called. */
  untilAnswered(end: () => void): () => void
  close(): void
}

interface WatchOptions {
  /** Whether the database answers a question of its own. */
  isThere: () => Promise<boolean>
  patienceMs?: number | undefined
}

export function watchDatabase({ isThere, patienceMs = PATIENCE_MS }: WatchOptions): Watch {
  let isSilent = false
  let isClosed = false
  let looking: Promise<void> | undefined
  const listen = async () => {
    while (isSilent && !isClosed) {
      await pause(ASK_EVERY_MS, undefined, { ref: false })
      isSilent = !(await isThere())
    }
  }
  const look = async () => {
    isSilent = !(await isThere())
    looking = undefined
    if (isSilent) void listen()
  }
  return {
    isSilent: () => isSilent,
    untilAnswered(end) {
      const check = async () => {
        if (!isSilent) await (looking ??= look())
        if (isAnswered) return
        if (isSilent) end()
        else wait()
      }
      let isAnswered = false
      let timer: NodeJS.Timeout
      const wait = () => {
        timer = setTimeout(() => void check(), patienceMs).unref()
      }
      wait()
      return () => {
        isAnswered = true
        clearTimeout(timer)
      }
    },
    close: () => {
      isClosed = true
    },
  }
}

/** Whether a server of these options answers, be it with a refusal such as of too many connections. */
export async function answers(config: ClientConfig, answerMs = ANSWER_MS): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: answerMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    void client.end().catch(() => {})
  }
}

const watches = new WeakMap<ClientBase, Watch>()

/** Ends statements of this connection when the database falls silent. */
export function watchConnection(client: ClientBase, watch: Watch): void {
  watches.set(client, watch)
}

export function watchOf(client: ClientBase): Watch | undefined {
  return watches.get(client)
}

/** With a code after which work may be done again, or a commit is unclear. */
export function silentError(): Error {
  return Object.assign(new Error('The database has stopped answering'), { code: 'ETIMEDOUT' })
}
