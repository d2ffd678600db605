import type { FastifyInstance } from 'fastify'
import { ExportContracts } from '#shared/schemas/exports.ts'
import { CustomerFilter } from '#shared/schemas/filters.ts'
import { requireExporter, requireReader } from '#server/context.ts'
import { exportAccount, exportContracts, exportCustomers, startExport } from '#server/exports/exports.service.ts'
import { answerError } from './answers/errors.ts'
import { sendFile } from './answers/downloads.ts'
import { inputOf, takes } from './input.ts'

/** The whole account, which can still be exported for a while after access has ended. */
export async function accountExportRoutes(app: FastifyInstance) {
  app.setErrorHandler(answerError)
  app.get('/export', async (request, reply) => {
    const ctx = requireExporter(request.context)
    const content = await startExport(ctx, exportAccount(ctx))
    return sendFile(reply, { name: `traxx-${ctx.today}.zip`, type: 'application/zip', content })
  })
}

export async function exportRoutes(app: FastifyInstance) {
  app.get('/customers/export.csv', takes(CustomerFilter), async (request, reply) => {
    const ctx = requireReader(request.context)
    const content = await startExport(ctx, exportCustomers(ctx, inputOf(CustomerFilter, request)))
    return sendFile(reply, { name: `customers-${ctx.today}.csv`, type: 'text/csv; charset=utf-8', content })
  })

  app.get('/contracts/export.csv', takes(ExportContracts), async (request, reply) => {
    const ctx = requireReader(request.context)
    const content = await startExport(ctx, exportContracts(ctx, inputOf(ExportContracts, request)))
    return sendFile(reply, { name: `contracts-${ctx.today}.csv`, type: 'text/csv; charset=utf-8', content })
  })
}
