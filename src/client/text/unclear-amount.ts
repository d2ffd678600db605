import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { formatMoney } from './format.ts'

/** Why a typed amount such as "1.200" is not taken: it can be read in two ways. Undefined if it cannot. */
export function unclearAmount(text: string, format: (amount: number) => string = formatMoney): string | undefined {
  const read = readTypedAmount(text)
  if (typeof read !== 'object') return undefined
  return `"${text.trim()}" can mean ${format(read.asThousands)} or ${format(read.asDecimals)}. Enter the one you mean`
}
