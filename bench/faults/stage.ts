import { join } from 'node:path'
import type { Client, PoolConfig } from 'pg'
import { z } from 'zod'
import { addKey } from '#bench/data.ts'
import { openOwnDatabase } from '#bench/own-database.ts'
import { startLoad } from '#bench/rehearse/load.ts'
import { ISSUER, startOurs } from '#bench/servers.ts'
import { openSessionTokens } from '#bench/session-tokens.ts'
import { withClient } from '#bench/with-client.ts'
import { freePort } from '#support/app-process.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

interface StageOptions {
  /** Where the database is; a temporary folder by default. */
  dataDir?: string
  variables?: Record<string, string>
}

/** A call, or one that sends JSON. */
interface Asked extends RequestInit {
  json?: object
}

const Created = z.object({ id: z.int() })

/** A database, a server on it, clients that write all the time, and somebody who makes single calls. */
export async function openStage({ dataDir, variables: given = {} }: StageOptions) {
  await using stack = new AsyncDisposableStack()
  const database = await openOwnDatabase({}, dataDir)
  stack.defer(database.stop)
  const { connection } = database
  const sessions = openSessionTokens(ISSUER)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const usual = { PORT: String(port), PUBLIC_URL: url, JOBS: 'off', CLERK_JWT_KEY: sessions.publicKey, ...given }
  let server = await startOurs(connection, usual)
  stack.defer(() => server.stop())
  const inDatabase = <T>(work: (client: Client) => Promise<T>) => withClient(connection, work)
  const load = await inDatabase((client) => startLoad(url, client))
  stack.defer(() => load.stop())
  const owner = await inDatabase(async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `insert into companies (account_id, name) select min(id), 'Acme' from accounts returning account_id as id`,
    )
    const id = rows[0]?.id ?? 0
    return { id, key: await addKey(client, id) }
  })
  const opened = stack.move()
  return {
    connection,
    url,
    inDatabase,
    load,
    owner,
    /** The server that runs now. */
    server: () => server,
    /** Stops it and starts another one, with other variables, or over another way to the database. */
    restart: async (variables: Record<string, string> = {}, through: PoolConfig = connection) => {
      await server.stop()
      server = await startOurs(through, { ...usual, ...variables })
    },
    /** One call, with the key of an account unless a token is given: its status, what people read, and how long it took. */
    call: (path: string, { json, ...options }: Asked, token = owner.key) =>
      told(`${url}${path}`, { ...options, ...(json ? withJson(token, json) : bearer(token)) }),
    sessionOf: (clerkUserId: string) => sessions.tokenOf(clerkUserId, url),
    newContract: async (): Promise<number> => {
      const create = async (path: string, body: object) => {
        const answer = await fetch(`${url}${path}`, withJson(owner.key, body))
        return Created.parse(await answer.json()).id
      }
      const customerId = await create('/customers', { name: 'Acme', email: 'acme@example.com' })
      return create('/contracts', { ...CONTRACT, customerId })
    },
    stop: () => opened.disposeAsync(),
  }
}

const CONTRACT = {
  amount: 10,
  startDate: '2026-01-31',
  renewalDate: '2027-02-28',
  renewalCycle: 'yearly',
  status: 'active',
}

/** For a server whose outside services are elsewhere. */
export const ELSEWHERE = { NODE_OPTIONS: `--import ${join(import.meta.dirname, '../services-elsewhere.ts')}` }

function bearer(token: string) {
  return { headers: { authorization: `Bearer ${token}` } }
}

function withJson(token: string, body: object) {
  const headers = { ...bearer(token).headers, 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

async function told(url: string, options: RequestInit): Promise<string> {
  const began = performance.now()
  const { method = 'GET' } = options
  const taken = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  try {
    const answer = await fetch(url, options)
    const body = await answer.text()
    const retry = answer.headers.get('retry-after')
    return `${method} ${new URL(url).pathname}: ${answer.status} ${body.slice(0, 160)}${retry ? `, Retry-After ${retry}` : ''}, ${taken()}`
  } catch (error) {
    return `${method} ${new URL(url).pathname}: ${String(error)}, ${taken()}`
  }
}
