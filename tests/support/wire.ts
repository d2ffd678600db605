import superjson from 'superjson'
import { vi } from 'vitest'
import { z } from 'zod'

/** What the server says no with. */
export interface Refused {
  refusal: string
  message: string
  fields?: Record<string, string>
}

/** Answers to the calls by their path: a value, or `refused({ ... })`. */
export type Answers = Record<string, (input: unknown) => unknown>

interface Call {
  path: string
  input: unknown
  authorization: string | null
}

const Bodies = z.record(z.string(), z.object({ json: z.unknown() }))

class Refusal {
  readonly given: Refused
  constructor(given: Refused) {
    this.given = given
  }
}

export function refused(given: Refused): Refusal {
  return new Refusal(given)
}

/** A server at the other end of `fetch`: it answers what it is told to, and remembers what it was asked. */
export function aServer(answers: Answers): { calls: Call[]; answers: Answers } {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://localhost')
    const sent = typeof init.body === 'string' ? init.body : url.searchParams.get('input')
    const inputs = Bodies.parse(JSON.parse(sent || '{}'))
    const authorization = new Headers(init.headers).get('authorization')
    const paths = url.pathname.replace('/trpc/', '').split(',')
    const results = paths.map((path, index) => {
      const input = inputs[index]?.json
      calls.push({ path, input, authorization })
      return resultOf(answers[path]?.(input))
    })
    return Response.json(results, { status: results.some((result) => 'error' in result) ? 207 : 200 })
  })
  return { calls, answers }
}

/** A network that nothing comes through. */
export function noServer(): void {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
}

function resultOf(answer: unknown) {
  if (!(answer instanceof Refusal)) return { result: { data: superjson.serialize(answer) } }
  const { refusal, message, fields } = answer.given
  return { error: superjson.serialize({ message, code: -32_600, data: { code: 'BAD_REQUEST', refusal, fields } }) }
}
