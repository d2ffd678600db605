import * as z from 'zod/mini'
import { MOST_NAMED } from './bulk.ts'
import { CheckedContractFilter, LARGEST_ID, text, wholeNumber } from './filters.ts'

/** Each id has up to ten digits and a comma. */
const LONGEST = MOST_NAMED * 11

/** Ids in an address, separated by commas ("3,5"). */
function idList() {
  const split = z.transform((ids: string): unknown[] => ids.split(','))
  const listed = z
    .array(wholeNumber(1, LARGEST_ID))
    .check(z.maxLength(MOST_NAMED, `Select at most ${MOST_NAMED} contracts, or use a filter`))
  return z.pipe(z.pipe(text(LONGEST), split), listed)
}

/** Exports the contracts that match every filter; of these only the ones in `ids`, if given. */
export const ExportContracts = z.safeExtend(CheckedContractFilter, { ids: z.optional(idList()) })
export type ExportContracts = z.output<typeof ExportContracts>
