import pg from 'pg'
import { StartError } from '#server/start-error.ts'
import { HOW_TO_RESET } from './passwords.ts'

export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
  ssl: false
}

/** What the server says: it answers, it is starting or stopping, or nobody is there. */
export type Answer = 'ready' | 'no database' | 'busy' | 'silent'

const ANSWERS: Record<string, Answer> = {
  ENOENT: 'silent',
  ECONNREFUSED: 'silent',
  '3D000': 'no database',
  '57P03': 'busy',
  '53300': 'ready',
}

export async function probe(connection: Connection): Promise<Answer> {
  return withClient(connection, async () => 'ready' as const).catch(answerOf)
}

/** Two processes may do this at the same time. */
export async function createDatabase(connection: Connection): Promise<void> {
  const statement = `create database ${pg.escapeIdentifier(connection.database)}`
  try {
    await withClient({ ...connection, database: 'postgres' }, (client) => client.query(statement))
  } catch (error) {
    if (codeOf(error) !== '42P04' && codeOf(error) !== '23505') throw error
  }
}

export async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  // A server that stops while it is asked is an answer like any other, which connect() or query() reports.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

function answerOf(error: unknown): Answer {
  const code = codeOf(error)
  if (code === '28P01') {
    throw new StartError(`The embedded PostgreSQL does not accept the passwords in its passwords.json. ${HOW_TO_RESET}`)
  }
  if (code === '28000' || code === 'EACCES') {
    throw new StartError(`Could not log in to the embedded PostgreSQL: ${String(error)}`)
  }
  return ANSWERS[code] ?? 'busy'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
