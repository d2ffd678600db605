import type { Day } from '#shared/domain/day.ts'
import type { Contract } from './use-contract-acts.ts'

export const MOVE_FAILURE = { failed: 'Failed to move the renewal', network: 'Network error' }

/** A renewal that is being moved: shown where it goes before the server has answered. */
export interface Move {
  contract: Contract
  to: Day
}

export type SaveMove = (move: Move & { isMuted?: boolean }) => Promise<void>
