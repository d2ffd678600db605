import { formatCount } from './format.ts'

const NOUNS = {
  contracts: ['contract', 'contracts'],
  customers: ['customer', 'customers'],
  emails: ['email', 'emails'],
  notices: ['notice', 'notices'],
  renewals: ['renewal', 'renewals'],
  rows: ['row', 'rows'],
} as const

/** As in "1 contract" and "1,200 contracts". */
export function counted(count: number, things: keyof typeof NOUNS): string {
  const [one, several] = NOUNS[things]
  return `${formatCount(count)} ${count === 1 ? one : several}`
}
