import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { AppError } from '#shared/errors.ts'
import { isViolation } from '#server/db/violations.ts'

/** For the error of a write of customers, which may be that another one has the number. @throws CUSTOMER_NUMBER_TAKEN */
export function refuseTakenNumber(error: unknown): never {
  const isTaken = isViolation(error, 'unique') || error instanceof UniqueConstraintViolationException
  if (isTaken) throw new AppError('CUSTOMER_NUMBER_TAKEN', { cause: error })
  throw error
}
