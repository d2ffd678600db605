import * as z from 'zod/mini'

/** Whether the head of the account's chain is mailed to the owner each week. */
export const SaveProofHead = z.object({ weekly: z.boolean('Choose on or off') })
export type SaveProofHead = z.output<typeof SaveProofHead>
