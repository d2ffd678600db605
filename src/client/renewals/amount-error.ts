import type { readTypedAmount } from '#shared/domain/amount-text.ts'
import { RenewContract } from '#shared/schemas/renewals.ts'

/** What the server would say of a next term's amount; one that is no number, or not one alone, is as wrong as none. */
export function renewalAmountError(amount: ReturnType<typeof readTypedAmount>): string | undefined {
  const { error } = RenewContract.shape.amount.safeParse(typeof amount === 'number' ? amount : Number.NaN)
  return error?.issues[0]?.message
}
