import fc from 'fast-check'
import type pg from 'pg'
import { SEQUENCES } from './acts.ts'
import { Play } from './play.ts'
import { openWorlds } from './world.ts'

export interface SequenceOptions {
  /** A migrated database that nobody else uses. */
  connection: pg.PoolConfig
  seed: number
  count: number
  /** Whether a failing sequence is made shorter, which takes minutes. */
  shrinks?: boolean
}

/**
 * Whatever is done to contracts, and in whatever order, terms, sums, messages and activity agree with one another after
 * every step (laws.ts), and undo is the inverse (undoing.ts). Returns how many steps there were.
 * @throws with the sequence after which that is not so, as short as it gets if it is to be made shorter
 */
export async function checkSequences({ connection, seed, count, shrinks }: SequenceOptions): Promise<number> {
  let steps = 0
  await using worlds = await openWorlds(connection)
  const property = fc.asyncProperty(SEQUENCES, async (acts) => {
    const world = await worlds.open()
    try {
      const play = new Play(world)
      for (const act of acts) await act.perform(play)
      steps += play.steps
    } finally {
      await world.close()
    }
  })
  await fc.assert(property, { seed, numRuns: count, endOnFailure: !shrinks })
  return steps
}
