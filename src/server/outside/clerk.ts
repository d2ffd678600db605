import { isClerkAPIResponseError } from '@clerk/backend/errors'
import type { ClerkClient } from '@clerk/fastify'
import { openCircuit, type Circuit } from './circuit.ts'

/** Clerk's SDK sets no limit, and may wait for minutes. */
const LIMIT_MS = 5000

export function clerkCircuit(limitMs = LIMIT_MS): Circuit {
  return openCircuit({ service: 'clerk', limitMs, isAway })
}

/** Lets the circuit end or refuse the calls that TRAXX makes while it serves; they reject with ServiceAway then. */
export function guardClerk(clerk: ClerkClient, circuit: Circuit): ClerkClient {
  const { users, sessions } = clerk
  users.getUser = guarded(circuit, users.getUser.bind(users))
  users.deleteUser = guarded(circuit, users.deleteUser.bind(users))
  sessions.getSessionList = guarded(circuit, sessions.getSessionList.bind(sessions))
  sessions.revokeSession = guarded(circuit, sessions.revokeSession.bind(sessions))
  return clerk
}

function guarded<Input, Answer>(circuit: Circuit, call: (input: Input) => Promise<Answer>) {
  return (input: Input) => circuit.run(() => call(input))
}

/** Without a status, nothing was answered. */
function isAway(error: unknown): boolean {
  return !isClerkAPIResponseError(error) || !(error.status >= 400 && error.status < 500)
}
