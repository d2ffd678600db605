import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import { addAccounts, addKey } from '#bench/data.ts'

const WRITERS = 4
const BETWEEN_MS = 40
/** Until a call that was not answered with success is sent again. */
const AGAIN_MS = 250
const PATIENCE_MS = 30_000

export interface Measured {
  acknowledged: number
  found: number
  lost: number
  /** Customers that exist twice, although their call had an Idempotency-Key. */
  doubled: number
  /** What clients got instead of a success, and how often; each was sent again. */
  errors: Record<string, number>
  /** The sentences that people read in these answers. */
  said: string[]
  /** Successful answers about another customer than was asked for. */
  wrong: number
  /** The longest time between two writes that were acknowledged, of all clients together. */
  gapSeconds: number
  /** The longest time that a client waited for an answer. */
  slowestSeconds: number
}

/** What has been seen since it began. */
interface Window {
  /** Customers of which the API has said that they were created. */
  names: Map<number, string>
  errors: Record<string, number>
  said: Set<string>
  wrong: number
  lastMs: number
  gapMs: number
  slowestMs: number
}

/**
 * Clients of the REST API, each with an account and a key. Each adds a customer, and reads it, again and again. A call
 * without success is sent again, with the same Idempotency-Key.
 */
export async function startLoad(url: string, administrator: Client) {
  const [first = 0] = await addAccounts(administrator, WRITERS)
  const keys: string[] = []
  for (let n = 0; n < WRITERS; n += 1) keys.push(await addKey(administrator, first + n))
  let window = newWindow()
  const stopping = new AbortController()
  const clients = keys.map((key) => runClient({ url, key, stopping: stopping.signal, seen: () => window }))
  return {
    /** Begins what the next `measure` measures. */
    begin: () => {
      window = newWindow()
    },
    /** How many writes have been acknowledged since. */
    acknowledged: () => window.names.size,
    /** Those: customers by their ids. */
    written: () => new Map(window.names),
    /** An account that writes: its API key. */
    key: keys[0] ?? '',
    measure: async (asking: Client): Promise<Measured> => {
      const { names, errors, said, wrong, gapMs, slowestMs } = window
      return {
        ...(await look(asking, new Map(names))),
        errors,
        said: [...said],
        wrong,
        gapSeconds: gapMs / 1000,
        slowestSeconds: slowestMs / 1000,
      }
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
    },
  }
}

interface ClientOptions {
  url: string
  key: string
  stopping: AbortSignal
  seen: () => Window
}

const Customer = z.object({ id: z.int(), name: z.string() })
const Refused = z.object({ error: z.string() })

async function runClient(options: ClientOptions): Promise<void> {
  const { stopping, seen } = options
  const untilDone = async (path: string, name?: string) => {
    while (!stopping.aborted) {
      const done = Customer.safeParse(await call(options, path, name))
      if (done.success) return done.data
      await pause(AGAIN_MS)
    }
    return undefined
  }
  while (!stopping.aborted) {
    const name = `Customer ${randomUUID()}`
    const customer = await untilDone('/customers', name)
    if (!customer) return
    const window = seen()
    window.names.set(customer.id, name)
    const now = performance.now()
    window.gapMs = Math.max(window.gapMs, now - window.lastMs)
    window.lastMs = now
    const found = await untilDone(`/customers/${customer.id}`)
    if (customer.name !== name || (found && found.name !== name)) seen().wrong += 1
    await pause(BETWEEN_MS)
  }
}

/** Reads, or creates a customer of this name. Returns what was answered with success. */
async function call({ url, key, seen }: ClientOptions, path: string, name?: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const creating = name !== undefined && {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': name.replace(' ', '-') },
    body: JSON.stringify({ name }),
  }
  const began = performance.now()
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(`${url}${path}`, { headers, ...creating, signal })
    const body = await response.text()
    if (response.ok) return JSON.parse(body)
    const lacksRetryAfter = response.status === 503 && !response.headers.has('retry-after')
    count(seen(), lacksRetryAfter ? '503 without Retry-After' : String(response.status))
    seen().said.add(Refused.parse(JSON.parse(body)).error)
  } catch (error) {
    count(seen(), nameOf(error))
  } finally {
    seen().slowestMs = Math.max(seen().slowestMs, performance.now() - began)
  }
  return undefined
}

function count({ errors }: Window, error: string): void {
  errors[error] = (errors[error] ?? 0) + 1
}

function nameOf(error: unknown): string {
  const { name, cause }: { name?: unknown; cause?: unknown } = Object(error)
  const { code }: { code?: unknown } = Object(cause)
  return String(code ?? name)
}

function newWindow(): Window {
  return { names: new Map(), errors: {}, said: new Set(), wrong: 0, lastMs: performance.now(), gapMs: 0, slowestMs: 0 }
}

async function look(client: Client, names: Map<number, string>) {
  const { rows } = await client.query<{ id: number; name: string }>(
    `select id, name from customers where name = any($1) or id = any($2)`,
    [[...names.values()], [...names.keys()]],
  )
  const found = rows.filter(({ id, name }) => names.get(id) === name).length
  const distinct = new Set(rows.map(({ name }) => name)).size
  return { acknowledged: names.size, found, lost: names.size - found, doubled: rows.length - distinct }
}
