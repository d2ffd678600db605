import { z } from 'zod'

export const AdoptTimeZone = z.object({ timeZone: z.string().min(1).max(64) })
export type AdoptTimeZone = z.output<typeof AdoptTimeZone>
