import { createHash } from 'node:crypto'

export interface Random {
  /** From 0 to 1. */
  share(): number
  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(share() * (to - from + 1))
  return {
    share,
    int,
    chance: (limit) => share() < limit,
    pick: (from) => {
      const picked = from[int(0, from.length - 1)]
      if (picked === undefined) throw new Error('There is nothing to pick from')
      return picked
    },
  }
}

/** From 0 to 1, always the same for the same parts, whatever was drawn before. */
export function shareOf(...parts: (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE() / 2 ** 32
}
