import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { AppError } from '#shared/errors.ts'
import { isViolation } from '#server/db/violations.ts'

/** For the error of a write of customers, which may be that another one has the number. @throws CUSTOMER_NUMBER_TAKEN */
export function refuseTakenNumber(error: unknown): never {
  if (isTakenNumber(error)) throw new AppError('CUSTOMER_NUMBER_TAKEN', { cause: error })
  throw error
}

/** The same where a repeated call does without the number. @throws ACCOUNT_BUSY */
export function refuseForNow(error: unknown): never {
  if (isTakenNumber(error)) throw new AppError('ACCOUNT_BUSY', { cause: error })
  throw error
}

function isTakenNumber(error: unknown): boolean {
  return isViolation(error, 'unique') || error instanceof UniqueConstraintViolationException
}
