import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom, type Random } from '#support/random.ts'
import { headerOf, openHttpClient, requestOf, type HttpAnswer, type HttpClient } from './http-client.ts'
import { nextOf, thinkMs, type Person } from './load-mix.ts'

/** Who they are, and the port of the server. */
export interface Crowd {
  port: number
  people: Person[]
}

/** What load.ts then asks for: so many of them, over and over, for so long. */
export interface Ask {
  count: number
  seconds: number
  seed: number
}

/** What people have seen. */
export interface Seen {
  /** Milliseconds of the calls that were answered with success, by what they were. */
  took: Record<string, number[]>
  /** Other answers, and lost connections, by what they were. */
  failed: Record<string, number>
  /** Answers of 503 without Retry-After. */
  untold: number
  /** The longest wait for any answer, in milliseconds. */
  slowest: number
  seconds: number
  /** Of one processor, for this process. */
  cpuShare: number
}

const LONGEST_ARRIVAL_MS = 20_000

// A process of its own, so that what the people cost is not the server's.
let crowd: Crowd = { port: 0, people: [] }
process.on('message', (message: Crowd | Ask) => {
  if ('people' in message) crowd = message
  else void run(crowd, message).then((seen) => process.send?.(seen))
})
process.on('disconnect', () => process.exit())

async function run({ port, people }: Crowd, { count, seconds, seed }: Ask): Promise<Seen> {
  const seen: Seen = { took: {}, failed: {}, untold: 0, slowest: 0, seconds: 0, cpuShare: 0 }
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const end = began + seconds * 1000
  const arrivalMs = Math.min(LONGEST_ARRIVAL_MS, (seconds * 1000) / 4)
  const lives = Array.from({ length: count }, (_, at) => {
    const person = people[at % people.length]
    if (!person) throw new Error('There are no people')
    return live({ port, person, arrivalMs, end, seen, random: randomFrom(seed + at) })
  })
  await Promise.all(lives)
  const { user, system } = process.cpuUsage(cpu)
  seen.seconds = (performance.now() - began) / 1000
  seen.cpuShare = (user + system) / 1e6 / seen.seconds
  return seen
}

interface Life {
  port: number
  person: Person
  /** They do not all come in the same second. */
  arrivalMs: number
  end: number
  seen: Seen
  random: Random
}

/** Does one thing after the other, with time to think between them. A refusal is obeyed. */
async function live({ port, person, arrivalMs, end, seen, random }: Life): Promise<void> {
  let client: HttpClient | undefined
  let waitMs = arrivalMs * random.share()
  while (performance.now() + waitMs < end) {
    await pause(waitMs)
    waitMs = thinkMs(random)
    const { kind, call } = nextOf(random)
    const request = requestOf(call(person, random))
    const began = performance.now()
    try {
      client ??= await openHttpClient(port)
      const answer = await client.send(request)
      const took = performance.now() - began
      seen.slowest = Math.max(seen.slowest, took)
      if (answer.status === 200) (seen.took[kind] ??= []).push(took)
      else waitMs = Math.max(waitMs, retryMs(answer, kind, seen))
    } catch (error) {
      count(seen, `${kind}: ${error instanceof Error ? error.message : String(error)}`)
      client?.close()
      client = undefined
    }
  }
  client?.close()
}

/** Counts an answer that was no success. Returns for how long it says to wait. */
function retryMs(answer: HttpAnswer, kind: string, seen: Seen): number {
  const { status, body } = answer
  const refusal = /"refusal":"(\w+)"/.exec(body)?.[1] ?? ''
  count(seen, `${kind}: ${status} ${refusal}`)
  const seconds = Number(headerOf(answer, 'retry-after'))
  if (seconds === 0 && (status === 503 || refusal === 'SERVER_BUSY')) seen.untold += 1
  return seconds * 1000
}

function count({ failed }: Seen, what: string): void {
  failed[what] = (failed[what] ?? 0) + 1
}
