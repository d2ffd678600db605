import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { readerProcedure, router } from '#server/trpc.ts'

export const dashboardRouter = router({
  get: readerProcedure.query(({ ctx }) => readDashboard(ctx)),
})
