import pg from 'pg'

const CODES = { 'foreign key': '23503', unique: '23505', check: '23514' }

/** Whether PostgreSQL refused a statement because it would break a constraint of this kind. */
export function isViolation(error: unknown, kind: keyof typeof CODES): boolean {
  return error instanceof pg.DatabaseError && error.code === CODES[kind]
}

const ATTEMPTS = 3

/** Retries what PostgreSQL has rolled back because of a deadlock, so `run` may be called more than once. */
export async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
  }
}

function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01'
}

/** Whether another transaction has held what a statement needs for longer than it may wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Whether PostgreSQL cannot store or compute a value: one that is out of range, not of its type, or too long for an index. */
export function isUnstorable(error: unknown): boolean {
  return /^(?:22|54)/.test(codeOf(error))
}

/** The SQLSTATE or another code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether PostgreSQL refused a function's argument, such as an unknown time zone. */
export function isUnknownValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '22023'
}

/** Whether the row's account has just been deleted by another process. */
export function isOfNoAccount(error: unknown): boolean {
  const { code, constraint }: { code?: unknown; constraint?: unknown } = Object(error)
  return code === CODES['foreign key'] && String(constraint).endsWith('_account_id_fkey')
}
