import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'

type Conduct = 'pass' | 'refuse' | 'freeze' | 'cut at commit' | 'freeze at commit'

export interface DatabaseProxy {
  connection: PoolConfig
  /** From now on; what is frozen stays so, until its connections are refused. */
  conduct(conduct: Conduct): void
  /** How many connections have been refused. */
  refused(): number
  /** How many messages of clients have been held back. */
  held(): number
  stop(): Promise<void>
}

/** Stands between a server and its PostgreSQL, as HAProxy does, and lets connections fail. */
export async function startDatabaseProxy(connection: PoolConfig): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  let now: Conduct = 'pass'
  let refused = 0
  let held = 0
  const proxy = createServer((client) => {
    if (now === 'refuse') {
      refused += 1
      client.destroy()
      return
    }
    const server = connectTo(connection)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    let isCut = false
    let isMute = false
    client.on('data', (bytes) => {
      if (now === 'freeze') {
        held += 1
        return
      }
      server.write(bytes)
      if (!bytes.includes('commit')) return
      isMute = now === 'freeze at commit'
      isCut = now === 'cut at commit'
      if (isMute) now = 'freeze'
      if (isCut) now = 'pass'
    })
    // PostgreSQL answers when it has committed, and the client does not hear of it.
    server.on('data', (bytes) => {
      if (isCut) client.destroy()
      else if (!isMute) client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    connection: throughPort(connection, port),
    conduct: (conduct) => {
      now = conduct
      if (conduct === 'refuse') for (const socket of sockets) socket.destroy()
    },
    refused: () => refused,
    held: () => held,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function connectTo({ connectionString, host = 'localhost', port = 5432 }: PoolConfig): Socket {
  if (connectionString) {
    const url = new URL(connectionString)
    return connect(Number(url.port || port), url.hostname)
  }
  return host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
}

function throughPort(connection: PoolConfig, port: number): PoolConfig {
  if (!connection.connectionString) return { ...connection, host: '127.0.0.1', port }
  const url = new URL(connection.connectionString)
  url.host = `127.0.0.1:${port}`
  return { ...connection, connectionString: url.href }
}
