import { setTimeout as pause } from 'node:timers/promises'
import { switchOver } from './nodes.ts'
import { until } from './processes.ts'
import { restoreToMoment } from './restore.ts'
import type { Stage } from './stage.ts'

/** Longer than it takes until another node is the primary. */
const FROZEN_MS = 25_000
const ETCD_FROZEN_MS = 30_000

export interface Fault {
  name: string
  what: string
  /** The servers and workers begin with the older code, in a new database. */
  startsOlder?: boolean
  /** Does it, and puts right what does not recover by itself. Returns which node is the primary instead. */
  run: (stage: Stage, code: string) => Promise<string>
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'primary-killed',
    what: 'kill -9 of the primary: Patroni and PostgreSQL',
    run: async ({ cluster, load }) => {
      const primary = await cluster.primary()
      cluster.signal(primary, 'SIGKILL')
      await untilWritten(load)
      cluster.restart(primary)
      return cluster.newPrimary(primary)
    },
  },
  {
    name: 'server-killed',
    what: 'kill -9 of one server of three',
    run: async ({ apps, load }) => {
      await apps.killServer()
      await untilWritten(load)
      await apps.restart()
      return ''
    },
  },
  {
    name: 'worker-killed',
    what: 'kill -9 of one worker of two, while it sends',
    run: async ({ apps, load }) => {
      await apps.killWorker()
      await untilWritten(load)
      await apps.restart()
      return ''
    },
  },
  {
    name: 'primary-frozen',
    what: `the primary frozen for ${FROZEN_MS / 1000} s, and resumed`,
    run: async ({ cluster, load }) => {
      const primary = await cluster.primary()
      cluster.signal(primary, 'SIGSTOP')
      await pause(FROZEN_MS)
      cluster.signal(primary, 'SIGCONT')
      await untilWritten(load)
      return cluster.newPrimary(primary)
    },
  },
  {
    name: 'etcd-frozen',
    what: `all of etcd frozen for ${ETCD_FROZEN_MS / 1000} s, and resumed`,
    run: async ({ cluster, load }) => {
      const primary = await cluster.primary()
      cluster.signalEtcd('SIGSTOP')
      await pause(ETCD_FROZEN_MS)
      cluster.signalEtcd('SIGCONT')
      await untilWritten(load)
      return cluster.newPrimary(primary)
    },
  },
  {
    name: 'switchover',
    what: 'a switchover',
    run: async ({ cluster, load }) => {
      const primary = await cluster.primary()
      await switchOver(primary)
      await untilWritten(load)
      return cluster.newPrimary(primary)
    },
  },
  {
    name: 'restore',
    what: 'backups while clients write, and a restore to a moment at another place',
    run: restoreToMoment,
  },
  {
    name: 'rolling-upgrade',
    what: 'a rolling upgrade: three servers and two workers, one after the other',
    startsOlder: true,
    run: async ({ apps, load }, code) => {
      await apps.upgrade(code)
      await untilWritten(load)
      return ''
    },
  },
]

/** Waits until clients write as before. */
async function untilWritten({ acknowledged }: Stage['load']): Promise<void> {
  const before = acknowledged()
  await until('writes are acknowledged again', () => acknowledged() >= before + 40)
}
