import { z } from 'zod'

/** Where the payment service names its session, somebody has just begun a trial. */
export const DashboardSearch = z.object({ session_id: z.string().max(200).optional() })
