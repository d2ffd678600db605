import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'
import { codeOf } from '#server/db/violations.ts'

/** For how long work waits for the database, as while another node of a cluster becomes the primary. */
const WAIT_MS = 5000
const PAUSE_MS = 200

// Codes and marks, not classes: MikroORM replaces errors by its own, which keep the properties.
const UNREACHABLE = 'DATABASE_UNREACHABLE'
const UNCLEAR = 'COMMIT_UNCLEAR'

/** The SQLSTATE of a write on a replica, such as a primary becomes. */
const READ_ONLY = '25006'
/** SQLSTATEs of a server that shuts down, starts or has no connection left, and what sockets and name lookups fail with. */
const LOST = /^(?:08...|57P0[123]|53300|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** pg's own errors have no code. */
const LOST_MESSAGE = /^(?:Connection terminated|timeout expired|Client has encountered a connection error)/

/** No connection could be opened, so nothing was sent. */
export function unreachable(cause: unknown): Error {
  return Object.assign(new Error('The database could not be reached', { cause }), { code: UNREACHABLE })
}

/** The connection was lost during a commit, which may have been carried out. */
export function commitUnclear(cause: unknown): Error {
  return Object.assign(new Error('Whether the transaction was committed is not known', { cause }), { code: UNCLEAR })
}

export function isUnreachable(error: unknown): boolean {
  return codeOf(error) === UNREACHABLE
}

export function isCommitUnclear(error: unknown): boolean {
  return codeOf(error) === UNCLEAR
}

/** Marks an error of the database if its connection failed: connections to other services fail with the same codes. */
export function ofDatabase(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const hasFailed = LOST.test(codeOf(error)) || isSocketGone(error) || LOST_MESSAGE.test(error.message)
  return hasFailed ? Object.assign(error, { isDatabaseLost: true }) : error
}

/** A server on this machine takes its socket away while it restarts. */
function isSocketGone(error: Error): boolean {
  return codeOf(error) === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
}

/** Whether the connection to the database failed, but not during a commit. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && (isUnreachable(error) || 'isDatabaseLost' in error)
}

/** Whether the connection failed before the commit, or leads to a replica: nothing was written, and repeating is safe. */
export function isUnwritten(error: unknown): boolean {
  return isLost(error) || codeOf(error) === READ_ONLY
}

/** Whether a disk is full: the database's, or one of this machine. */
function isFull(error: unknown): boolean {
  return /^(?:53100|ENOSPC)$/.test(codeOf(error))
}

/** Whether a call failed because the database is away or full, or because another node is becoming the primary. */
export function isUnavailable(error: unknown): boolean {
  return isUnwritten(error) || isCommitUnclear(error) || isFull(error)
}

/** The refusal of a call that met such an error. One that may have been committed has no time to try again. */
export function unavailable(cause: unknown): AppError {
  if (isCommitUnclear(cause)) return new AppError('WRITE_UNCLEAR', { cause })
  if (isFull(cause)) return new AppError('SERVER_FULL', { cause })
  return new AppError('DATABASE_UNAVAILABLE', { cause })
}

/** Runs work again for up to five seconds, as long as it fails with errors after which that is safe. */
export async function whileUnavailable<T>(run: () => Promise<T>, isSafe: (error: unknown) => boolean): Promise<T> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isSafe(error) || performance.now() >= end) throw error
      await pause(PAUSE_MS)
    }
  }
}
