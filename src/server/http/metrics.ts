import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import manifest from '#package' with { type: 'json' }
import { AppError } from '#shared/errors.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/database.ts'
import { jobMetrics, ledgerMetrics, type Metric } from '#server/reminders/reminder-runs.service.ts'
import { addressKey } from '#server/limits/address-key.ts'
import type { Limits } from '#server/limits/limits.ts'
import { logWrongToken } from '#server/security/security-log.ts'
import { isSameSecret } from '#server/security/same-secret.ts'
import { isForwarded } from './local-network-only.ts'

export interface MetricsOptions {
  db: Database
  services: Pick<Services, 'circuits'>
  limits: Limits
  access: MetricsAccess
}

/** Who may read the metrics: holders of the token, this machine, or nobody. */
export type MetricsAccess = { token: string } | 'local' | 'nobody'

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10]
const DELAY_RESOLUTION_MS = 20
const BUILD: Metric = {
  name: 'traxx_build_info',
  help: 'The version that this process runs',
  type: 'gauge',
  samples: [{ labels: { version: manifest.version }, value: 1 }],
}
const LOCAL = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/** `/metrics` in Prometheus' text format: this process and its requests, and jobs and messages of the whole database. */
export async function metricsRoutes(
  app: FastifyInstance,
  { db, services, limits, access }: MetricsOptions,
): Promise<void> {
  const requests = countRequests(app)
  const ownProcess = watchProcess(app)
  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    // For everybody else this address does not exist.
    if (!mayAsk(request, access)) {
      if (typeof access === 'object' && request.headers.authorization !== undefined)
        await noteWrongToken(app.log, request, limits)
      throw new AppError('PATH_NOT_FOUND')
    }
    const ofDatabase = [...(await jobMetrics(db)), ...(await ledgerMetrics(db))]
    const metrics = [BUILD, ...ofDatabase, ...requests(), ...ownProcess(), circuitsOf(services)]
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.map(textOf).join(''))
  })
}

function mayAsk(request: FastifyRequest, access: MetricsAccess): boolean {
  if (access === 'local') return LOCAL.includes(request.ip) && !isForwarded(request)
  if (access === 'nobody') return false
  return isSameSecret(request.headers.authorization ?? '', `Bearer ${access.token}`)
}

/** Logs a wrong token, until its address has sent so many that no more are logged. */
async function noteWrongToken(log: FastifyBaseLogger, { ip, id }: FastifyRequest, limits: Limits): Promise<void> {
  const isLogged = await limits.take('wrongMetricsTokens', addressKey(ip)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.key === 'TOO_MANY_REQUESTS') return false
      throw error
    },
  )
  // The request's own log is silent.
  if (isLogged) logWrongToken({ log: log.child({ reqId: id }), ip }, 'metrics token')
}

/** Counts answers by status class, and how long they took. */
function countRequests(app: FastifyInstance): () => Metric[] {
  const answers = new Map<string, number>()
  const buckets = BUCKETS.map(() => 0)
  let [count, sum] = [0, 0]
  app.addHook('onResponse', async (_request, reply) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    answers.set(status, (answers.get(status) ?? 0) + 1)
    const seconds = reply.elapsedTime / 1000
    for (const [at, limit] of BUCKETS.entries()) if (seconds <= limit) buckets[at] = (buckets[at] ?? 0) + 1
    count += 1
    sum += seconds
  })
  const within = (limit: number | '+Inf', value: number) => ({ name: '_bucket', labels: { le: String(limit) }, value })
  return () => [
    {
      name: 'traxx_http_requests_total',
      help: 'Responses of this process, by status class',
      type: 'counter',
      samples: [...answers].map(([status, value]) => ({ labels: { status }, value })),
    },
    {
      name: 'traxx_http_request_duration_seconds',
      help: 'Response times of this process',
      type: 'histogram',
      samples: [
        ...BUCKETS.map((limit, at) => within(limit, buckets[at] ?? 0)),
        within('+Inf', count),
        { name: '_sum', labels: {}, value: sum },
        { name: '_count', labels: {}, value: count },
      ],
    },
  ]
}

/** Memory, and how long the event loop lets its work wait. */
function watchProcess(app: FastifyInstance): () => Metric[] {
  const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delays.enable()
  app.addHook('onClose', async () => void delays.disable())
  const gauge = (name: string, help: string, value: number): Metric => {
    return { name, help, type: 'gauge', samples: [{ labels: {}, value }] }
  }
  return () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    const delay = Math.max(0, delays.percentile(99) / 1e9 - DELAY_RESOLUTION_MS / 1000)
    delays.reset()
    return [
      gauge('traxx_resident_bytes', 'Memory of this process', process.memoryUsage.rss()),
      gauge('traxx_heap_bytes', 'Memory of its objects, including garbage that is not collected yet', used),
      gauge('traxx_heap_limit_bytes', 'How much the heap may take before the process ends', limit),
      gauge(
        'traxx_event_loop_delay_seconds',
        'How late its work began since this was last asked, 99th percentile',
        delay,
      ),
    ]
  }
}

function circuitsOf({ circuits }: Pick<Services, 'circuits'>): Metric {
  return {
    name: 'traxx_circuit_open',
    help: 'Whether this process asks nothing of a service outside for now, since it has failed several times in a row',
    type: 'gauge',
    samples: circuits.map((circuit) => ({ labels: { service: circuit.service }, value: Number(circuit.isOpen()) })),
  }
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ name: part = '', labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
    return `${name}${part}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
