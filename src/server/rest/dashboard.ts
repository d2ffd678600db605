import type { FastifyInstance } from 'fastify'
import { requireReader } from '#server/context.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'

export async function dashboardRoutes(app: FastifyInstance) {
  app.get('/dashboard', async (request) => readDashboard(requireReader(request.context)))
}
