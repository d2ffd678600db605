import type { FastifyInstance } from 'fastify'
import { requireReader } from '#server/context.ts'
import { readDashboard } from '#server/dashboard/dashboard.service.ts'
import { ALSO_A_SCREEN } from './answers/also-a-screen.ts'

export async function dashboardRoutes(app: FastifyInstance) {
  app.get('/dashboard', ALSO_A_SCREEN, async (request) => readDashboard(requireReader(request.context)))
}
