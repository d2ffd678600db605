const STEPS = 4
const ROUND = [1, 2, 2.5, 5, 10]

/** Round figures from 0 on, the last one above the largest value: nothing is drawn on the border. */
export function ticksAbove(largest: number, unit: 'money' | 'contracts'): number[] {
  if (largest <= 0) return [0, 1]
  const step = roundStep(largest / STEPS, unit)
  const count = Math.floor(largest / step) + 2
  return Array.from({ length: count }, (_, index) => index * step)
}

/** No half contracts, and no fractions of a cent. */
function roundStep(rough: number, unit: 'money' | 'contracts'): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ROUND.map((figure) => figure * power).find((figure) => figure >= rough && isFit(figure, unit))
  return Math.max(step ?? 10 * power, unit === 'money' ? 0.01 : 1)
}

function isFit(figure: number, unit: 'money' | 'contracts'): boolean {
  return unit === 'money' || Number.isInteger(figure)
}
