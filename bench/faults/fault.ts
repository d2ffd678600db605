import type { Stage } from './stage.ts'

/** What else went wrong, or was said. */
export interface Outcome {
  /** Acts that were confirmed and are not there. */
  lost?: number
  /** Acts that were carried out twice. */
  doubled?: number
  said?: string[]
  /** Removes what it has left for the next fault, when everything is measured. */
  clear?: () => Promise<void>
}

/** Lets something fail, and ends when it no longer does. */
export type Fault = (stage: Stage) => Promise<Outcome>
