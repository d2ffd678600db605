import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { RenewContract } from '#shared/schemas/renewals.ts'
import { unclearAmount } from '#client/text/unclear-amount.ts'

/** Why a next term's amount, as typed, is not taken: it is unclear, or what the server would say of it. */
export function renewalAmountError(text: string): string | undefined {
  const amount = readTypedAmount(text)
  const { error } = RenewContract.shape.amount.safeParse(typeof amount === 'number' ? amount : Number.NaN)
  return unclearAmount(text) ?? error?.issues[0]?.message
}
