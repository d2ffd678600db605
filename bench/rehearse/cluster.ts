import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { freePort } from '#support/app-process.ts'
import { withClient } from '#bench/with-client.ts'
import { pgBackRest } from './backups.ts'
import { HOST, isHealthy, nodeOf, primaryOf, processesOf, type Node } from './nodes.ts'
import { signalTree, until, type Processes } from './processes.ts'
import { SHIPPED, shippedVariables } from './shipped-files.ts'

const NUMBERS = [1, 2, 3] as const

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** etcd, Patroni and HAProxy with the files of deploy/patroni, each as one or three processes on this machine. */
export async function startCluster(folder: string, processes: Processes) {
  const etcd = await startEtcd(folder, processes)
  const password = randomBytes(12).toString('hex')
  const nodes = await Promise.all(NUMBERS.map((n) => nodeOf(n, { folder, etcd: etcd.hosts, password })))
  const start = patroniOf(folder, processes)
  for (const node of nodes) start(node)
  const balancer = await startBalancer(nodes, { folder, processes, name: 'haproxy' })
  return {
    ...balancer,
    password,
    /** Another HAProxy, in front of three other servers. */
    startRoundRobin: () => startBalancer(nodes, { folder, processes, name: 'round-robin', change: roundRobin }),
    asAdministrator: administratorOf({ host: HOST, port: balancer.databasePort, user: 'postgres', password }),
    healthy: () => until('all nodes of the cluster are in order', () => isHealthy(nodes)),
    /** pgBackRest on the node that is the primary; see there. */
    pgBackRest: async (...args: string[]) => pgBackRest(processes, await primaryOf(nodes), args),
    primary: () => primaryOf(nodes),
    /** Which node is the primary after this one; empty if it stayed. */
    newPrimary: async (before: Node) => {
      const after = await primaryOf(nodes)
      return after.name === before.name ? '' : after.name
    },
    signal: (node: Node, signal: NodeJS.Signals) => signalTree(processesOf(node), signal),
    restart: start,
    signalEtcd: (signal: NodeJS.Signals) => signalTree(etcd.pids, signal),
    stop: async () => {
      for (const node of nodes) signalTree(processesOf(node), 'SIGKILL')
      await processes.stop()
    },
  }
}

async function startEtcd(folder: string, processes: Processes) {
  const members = await Promise.all(
    NUMBERS.map(async (n) => {
      const [client, peer] = [await freePort(), await freePort()]
      return { name: `etcd${n}`, client: `http://${HOST}:${client}`, peer: `http://${HOST}:${peer}` }
    }),
  )
  const all = members.map(({ name, peer }) => `${name}=${peer}`).join(',')
  const pids = members.map(({ name, client, peer }) => {
    const variables = shippedVariables('etcd', {
      ETCD_NAME: name,
      ETCD_DATA_DIR: join(folder, name),
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_INITIAL_CLUSTER: all,
    })
    return processes.start({ name, file: '/usr/bin/etcd', args: [], variables }).pid
  })
  return { pids, hosts: members.map(({ client }) => new URL(client).host).join(',') }
}

function patroniOf(folder: string, processes: Processes) {
  const config = join(folder, 'patroni.yml')
  const shipped = readFileSync(join(SHIPPED, 'patroni.yml'), 'utf8')
  // The file ends with PostgreSQL's parameters. Debian's folder for sockets is that of the user postgres alone.
  writeFileSync(config, `${shipped}    unix_socket_directories: ${folder}\n`)
  return (node: Node) => {
    const { name, variables } = node
    node.patroni = processes.start({ name, file: '/usr/bin/patroni', args: [config], variables })
  }
}

interface BalancerOptions {
  folder: string
  processes: Processes
  name: string
  /** Of HAProxy's file as it is shipped. */
  change?: (shipped: string) => string
}

async function startBalancer(nodes: readonly Node[], { folder, processes, name, change }: BalancerOptions) {
  const [databasePort, web] = [await freePort(), await freePort()]
  const serverPorts = [await freePort(), await freePort(), await freePort()]
  const adminSocket = join(folder, `${name}.sock`)
  const own: Record<string, string> = {
    HAPROXY_ADMIN_SOCKET: adminSocket,
    DATABASE_BIND: `${HOST}:${databasePort}`,
    WEB_BIND: `${HOST}:${web}`,
  }
  nodes.forEach(({ port, variables }, at) => {
    own[`PG${at + 1}`] = variables['PATRONI_POSTGRESQL_LISTEN'] ?? ''
    own[`PG${at + 1}_PATRONI_PORT`] = String(port)
  })
  serverPorts.forEach((port, at) => {
    own[`TRAXX${at + 1}`] = `${HOST}:${port}`
  })
  const shipped = join(SHIPPED, 'haproxy.cfg')
  const config = change ? join(folder, `${name}.cfg`) : shipped
  if (change) writeFileSync(config, change(readFileSync(shipped, 'utf8')))
  const args = ['-f', config, '-db']
  processes.start({ name, file: '/usr/sbin/haproxy', args, variables: shippedVariables('haproxy', own) })
  return { databasePort, webUrl: `http://${HOST}:${web}`, serverPorts, adminSocket }
}

/** Each call goes to the next server, and its answer says to which. */
function roundRobin(shipped: string): string {
  return shipped.replace('balance leastconn', 'balance roundrobin\n  http-response set-header x-served-by %s')
}

/** Gives a piece of work a connection of the administrator to a database of the primary. */
function administratorOf(connection: pg.ClientConfig) {
  return <T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
    withClient({ ...connection, database, connectionTimeoutMillis: 2000 }, work)
}
