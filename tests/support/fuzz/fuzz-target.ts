import { z } from 'zod'
import type { HostileFile } from './hostile-files.ts'

/** A running server, and an account of it. */
export interface FuzzTarget {
  origin: string
  key: string
  /** Of another account, which has nothing; each time a new one. */
  emptyKey(): Promise<string>
  /** Of the server, in megabytes. */
  memory(): number | Promise<number>
}

const STACK = /\bat .{1,200}:\d+:\d+|node_modules|\.ts:\d+|[a-z]Error:/
/** Even on a busy machine a small file does not take so long. */
const LONGEST_ANSWER_MS = 300_000
const Refusal = z.object({ error: z.string().min(1) })
const Created = z.object({ id: z.int() })

/** Sends a file as a browser sends a form. Returns the status. @throws if the response is malformed */
export function sendFile(target: FuzzTarget, path: string, { name, bytes }: HostileFile): Promise<number> {
  const form = new FormData()
  form.append(/(pdf|logo)$/.exec(path)?.[1] ?? 'file', new Blob([Uint8Array.from(bytes)]), name)
  return judged(target, path, { body: form, headers: {} })
}

/** Sends bytes as they are, and calls them a form. */
export function sendForm(target: FuzzTarget, path: string, { bytes }: HostileFile): Promise<number> {
  const headers = { 'content-type': 'multipart/form-data; boundary=limit' }
  return judged(target, path, { body: Uint8Array.from(bytes), headers })
}

/** The address of the PDF of a new contract. */
export async function aPdfAddress(target: FuzzTarget): Promise<string> {
  const customer = await create(target, '/customers', { name: 'Fuzz' })
  const contract = await create(target, '/contracts', {
    customerId: customer,
    amount: 1,
    startDate: '2026-01-01',
    renewalCycle: 'yearly',
    renewalDate: '2050-01-01',
    status: 'pending',
  })
  return `/contracts/${contract}/pdf`
}

interface Sent {
  body: FormData | Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

async function judged({ origin, key }: FuzzTarget, path: string, { body, headers }: Sent): Promise<number> {
  const answer = await fetch(origin + path, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    headers: { ...headers, authorization: `Bearer ${key}` },
  })
  const text = await answer.text()
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status}: ${text.slice(0, 500)}`)
  if (answer.status < 400) return answer.status
  const { error } = Refusal.parse(JSON.parse(text))
  if (STACK.test(error)) throw new Error(`A stack in the answer: ${text.slice(0, 500)}`)
  return answer.status
}

async function create({ origin, key }: FuzzTarget, path: string, values: object): Promise<number> {
  const answer = await fetch(origin + path, {
    method: 'POST',
    body: JSON.stringify(values),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${JSON.stringify(body)}`)
  return Created.parse(body).id
}
