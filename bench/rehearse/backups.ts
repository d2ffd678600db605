import { HOST, type Node } from './nodes.ts'
import type { Processes } from './processes.ts'

/** Runs pgBackRest as on a node of the cluster. Returns what it has written, and the seconds it took. @throws if it fails */
export async function pgBackRest(processes: Processes, { variables, database }: Node, args: string[]) {
  // Debian's logs in as postgres, by the socket.
  const login = {
    PGHOST: HOST,
    PGPASSWORD: variables['PATRONI_SUPERUSER_PASSWORD'] ?? '',
    PGBACKREST_PG1_PORT: String(database),
    PGBACKREST_PG1_USER: 'postgres',
  }
  const began = performance.now()
  const program = { name: 'pgbackrest', file: '/usr/bin/pgbackrest', args: ['--stanza=traxx', ...args] }
  const started = processes.start({ ...program, variables: { ...variables, ...login } })
  const isDone = (await started.ended) === 0
  if (!isDone) throw new Error(`pgbackrest ${args.join(' ')} failed:\n${started.output()}`)
  return { output: started.output(), seconds: (performance.now() - began) / 1000 }
}
