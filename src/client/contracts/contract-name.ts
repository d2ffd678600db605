import { formatDay } from '#client/text/format.ts'
import type { Contract } from './form/contract-form.ts'

/** What tells a contract from the others of its customer. */
export function contractName({ title, reference, startDate }: Contract): string {
  return title ?? reference ?? `Contract from ${formatDay(startDate)}`
}
