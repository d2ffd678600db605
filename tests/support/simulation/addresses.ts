import type { Random } from '#support/random.ts'

const SHARED_ADDRESSES = 12
let addresses = 0

/** Some addresses are shared by customers, also of several accounts, and not written alike. */
export function newAddress(random: Random): string {
  const shared = random.int(1, SHARED_ADDRESSES)
  if (random.chance(0.3)) return `${random.pick(['shared', 'Shared', 'SHARED'] as const)}${shared}@simulated.test`
  addresses += 1
  return `customer${addresses}@simulated.test`
}
