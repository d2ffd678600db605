import { wholeNumber } from './search-params.ts'

/** What an address opens over its page: one row by its number, or the form for a new one. */
export type Opened = number | 'new'

const rowNumber = wholeNumber({ from: 1, to: 2_147_483_647 })

export function readOpened(written: string): Opened | undefined {
  return written === 'new' ? written : rowNumber(written)
}

export function rowOf(opened: Opened | undefined): number | undefined {
  return opened === 'new' ? undefined : opened
}
