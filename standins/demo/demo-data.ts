import { addDays, type Day } from '#shared/domain/day.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { DEMO_CUSTOMERS, type DemoCustomer } from './demo-customers.ts'
import { demoNotifications, type DemoNotification } from './demo-notifications.ts'
import { demoTerms, type DemoContract, type DemoTerm } from './demo-terms.ts'

export interface DemoData {
  customers: (DemoCustomer & { addedOn: Day })[]
  /** In the order in which they were signed. */
  contracts: DemoContract[]
  notifications: DemoNotification[]
}

const CUSTOMERS_WITH_CONTRACTS = 36
const CONTRACTS_A_NEW_CUSTOMER = 3
const CONTRACTS_A_PDF = 15
const FIRST_PDF = 4

const AMOUNTS: Record<RenewalCycle, readonly number[]> = {
  monthly: [295, 120, 850, 45, 420, 185, 1200, 79.5, 540, 240, 680, 350],
  quarterly: [960, 540, 2400, 350, 1475, 780, 4800, 690, 1890, 1249.99, 3150],
  yearly: [3600, 1188, 8400, 900, 24_000, 2340, 5400, 480, 11_250, 1500, 18_000, 2880, 6900, 4250, 14_800],
}

/** A believable account around today: the same for the same day. */
export function demoData(today: Day): DemoData {
  const contracts = contractsOf(demoTerms(today).toSorted((a, b) => a.startDate.localeCompare(b.startDate)))
  const customers = DEMO_CUSTOMERS.map((customer, index) => ({
    ...customer,
    addedOn: addedOn(index, contracts, today),
  }))
  const names = customers.map(({ name }) => name)
  return { customers, contracts, notifications: demoNotifications({ names, contracts, today }) }
}

function contractsOf(terms: readonly DemoTerm[]): DemoContract[] {
  const seen: Record<RenewalCycle, number> = { monthly: 0, quarterly: 0, yearly: 0 }
  return terms.map((term, index) => {
    const amounts = AMOUNTS[term.renewalCycle]
    const amount = amounts[seen[term.renewalCycle]++ % amounts.length] ?? 100
    return { ...term, customer: customerOf(index), amount, hasPdf: index % CONTRACTS_A_PDF === FIRST_PDF }
  })
}

/** Every third contract brings a new customer, while there are any; the others go to those who are there already. */
function customerOf(index: number): number {
  const newest = Math.min(Math.floor(index / CONTRACTS_A_NEW_CUSTOMER), CUSTOMERS_WITH_CONTRACTS - 1)
  const bringsNew = index % CONTRACTS_A_NEW_CUSTOMER === 0 && index / CONTRACTS_A_NEW_CUSTOMER === newest
  return bringsNew ? newest : (index * 7) % (newest + 1)
}

/** Shortly before the first contract; who has none yet was added in these days. */
function addedOn(customer: number, contracts: readonly DemoContract[], today: Day): Day {
  const first = contracts.find((contract) => contract.customer === customer)
  if (!first) return addDays(today, customer - DEMO_CUSTOMERS.length + 1)
  return addDays(first.startDate < today ? first.startDate : today, -5)
}
