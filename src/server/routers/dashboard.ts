import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { readerProcedure, router } from '#server/trpc.ts'

export const dashboardRouter = router({
  // The page carries the rows, and the screen leads to the rest.
  get: readerProcedure.query(({ ctx }) => readDashboard(ctx, 50)),
})
