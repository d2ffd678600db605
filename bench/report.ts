import { median, quantile } from './measure.ts'

/** One line of figures: ours beside the reference's, and the ratio that the goal is about. */
interface Line {
  what: string
  ours: number[]
  reference: number[]
}

/** Prints p50 and p99 of both in milliseconds, and how many times the reference's p50 ours is. */
export function printTimes({ what, ours, reference }: Line, atMost: number): void {
  const ratio = median(ours) / median(reference)
  print(what, `${times(ours)} | reference ${times(reference)}`, verdict(ratio, ratio <= atMost, `at most ${atMost}`))
}

/** Prints answers a second of both, and what share of the reference's ours are: the median of the rounds' shares. */
export function printRates({ what, ours, reference }: Line, atLeast: number): void {
  const share = median(ours.map((rate, round) => rate / (reference[round] ?? Number.NaN)))
  const rates = `${median(ours).toFixed(0)}/s | reference ${median(reference).toFixed(0)}/s`
  print(what, rates, verdict(share, share >= atLeast, `at least ${atLeast}`))
}

/** Prints how one figure relates to another, both in the same unit. */
export function printRatio(what: string, [one, other]: [number, number], atMost: number): void {
  const ratio = one / other
  print(what, `${one.toFixed(2)} to ${other.toFixed(2)}`, verdict(ratio, ratio <= atMost, `at most ${atMost}`))
}

/** Prints a figure with its own bound. */
export function printMilliseconds(what: string, values: number[], atMost: number): void {
  print(what, times(values), verdict(median(values), median(values) <= atMost, `at most ${atMost}`))
}

/** Prints the memory of an idle server and its peak, and how much more the peak is. */
export function printMegabytes(what: string, { idle, peak }: { idle: number; peak: number }, atMost: number): void {
  const figures = `${idle.toFixed(0)} MB idle | ${peak.toFixed(0)} MB at most`
  print(what, figures, verdict(peak - idle, peak - idle <= atMost, `at most ${atMost} MB more`))
}

/** Prints a figure that has no reference, with its unit and its bound. */
export function printFigure(what: string, { figure, unit }: { figure: number; unit: string }, atMost: number): void {
  print(what, `${figure} ${unit}`, verdict(figure, figure <= atMost, `at most ${atMost}`))
}

function print(what: string, figures: string, judged: string) {
  console.log(`${what.padEnd(34)} ${figures.padEnd(56)} ${judged}`)
}

/** A bound that is missed fails the command. */
function verdict(value: number, isMet: boolean, limit: string): string {
  if (!isMet) process.exitCode = 1
  return `${value.toFixed(2).padStart(6)}  (${limit}) ${isMet ? 'met' : 'MISSED'}`
}

function times(values: number[]): string {
  return `p50 ${median(values).toFixed(2).padStart(6)} p99 ${quantile(values, 0.99).toFixed(2).padStart(6)}`
}
