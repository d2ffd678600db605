import type { Break } from './breaks.ts'
import { runSeed, type ManySeeds } from './many-seeds.ts'

/**
 * The simulation of a product that is broken in one way after the other, each with as many seeds as it takes until that is
 * found. Tells a line for each, and returns the names of those that were not.
 */
export async function findBreaks(
  breaks: readonly Pick<Break, 'name'>[],
  { from, count, contracts, days, tell, program }: ManySeeds,
): Promise<string[]> {
  const missed: string[] = []
  for (const { name } of breaks) {
    let found: string | undefined
    let seeds = 0
    while (found === undefined && seeds < count) {
      const options = [from + seeds, contracts, days].map(String)
      const { report, output } = await runSeed([...options, name], program)
      found = report?.faults[0]?.split('\n')[0]
      seeds += 1
      if (!report) tell(output)
      for (const change of report?.unused ?? []) tell(`  no statement matched ${change}`)
    }
    if (found === undefined) missed.push(name)
    tell(`${found === undefined ? 'NOT FOUND' : 'found'} with ${seeds} seeds: ${name}${found ? ` (${found})` : ''}`)
  }
  tell(`${breaks.length - missed.length} of ${breaks.length} breaks were found`)
  return missed
}
