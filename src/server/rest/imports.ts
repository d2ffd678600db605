import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { ById } from '#shared/schemas/fields.ts'
import { BULK_UPLOADS, IMPORT_KINDS, LARGEST_IMPORT_BYTES, MappingKey, SliceImports } from '#shared/schemas/imports.ts'
import { asSubscriber, requireReader, requireSubscriber } from '#server/context.ts'
import { errorsOf, templateOf } from '#server/imports/write-csv.ts'
import { startExport } from '#server/exports/exports.service.ts'
import { listMappings, removeMapping } from '#server/imports/column-mappings.ts'
import { importFile } from '#server/imports/import-file.ts'
import { getImport, listImports, undoImport } from '#server/imports/imports.service.ts'
import { loadSample } from '#server/imports/sample.service.ts'
import { sendFile } from './answers/downloads.ts'
import { openFile, type FileForm } from './uploads/form-file.ts'
import { inputOf, takes } from './input.ts'
import { asSubscriberOnce, hashed, runOnce } from './once.ts'
import { sendSlice } from './answers/slices.ts'
import { takeForms } from './uploads/upload-forms.ts'

const FORM: FileForm = {
  field: 'file',
  maxFileBytes: LARGEST_IMPORT_BYTES,
  notAForm: 'IMPORT_FORM_REQUIRED',
  tooLarge: 'IMPORT_TOO_LARGE',
  noFile: 'IMPORT_FILE_REQUIRED',
  unreadable: 'IMPORT_FORM_UNREADABLE',
}
const CSV = 'text/csv; charset=utf-8'

export async function importRoutes(app: FastifyInstance) {
  await app.register(uploadRoutes)

  for (const kind of IMPORT_KINDS) {
    app.get(`/${kind}/bulk-template`, async (request, reply) => {
      requireReader(request.context)
      return sendFile(reply, { name: `${kind}-template.csv`, type: CSV, content: templateOf(kind) })
    })
  }

  app.get('/imports', takes(SliceImports), async (request, reply) => {
    const ctx = requireReader(request.context)
    return sendSlice({ request, reply }, inputOf(SliceImports, request), (page) => listImports(ctx, page))
  })

  app.get('/imports/mappings', async (request) => listMappings(requireReader(request.context)))

  app.delete('/imports/mappings/:kind/:key', async (request, reply) => {
    const input = inputOf(MappingKey, request)
    await asSubscriber(request.context, (ctx) => removeMapping(ctx, input))
    return reply.code(204).send()
  })

  app.get('/imports/:id', async (request) => getImport(requireReader(request.context), inputOf(ById, request)))

  app.get('/imports/:id/errors.csv', async (request, reply) => {
    const input = inputOf(ById, request)
    const ctx = requireReader(request.context)
    const content = await startExport(ctx, await errorsOf(ctx, input))
    return sendFile(reply, { name: `import-${input.id}-errors.csv`, type: CSV, content })
  })

  app.post('/imports/sample', async (request, reply) => {
    return reply.code(201).send(await asSubscriberOnce(request, loadSample))
  })

  app.delete('/imports/:id', async (request) => {
    const input = inputOf(ById, request)
    return asSubscriber(request.context, (ctx) => undoImport(ctx, input))
  })
}

async function uploadRoutes(app: FastifyInstance) {
  await takeForms(app, FORM)
  for (const kind of IMPORT_KINDS) {
    app.post(`/${kind}/bulk-upload`, takes(BULK_UPLOADS[kind]), async (request, reply) => {
      requireSubscriber(request.context)
      const answers = BULK_UPLOADS[kind].parse(request.query)
      const disconnected = new AbortController()
      reply.raw.once('close', () => disconnected.abort())
      const { fileName, bytes } = await uploadOf(request)
      const file = hashed(bytes)
      const upload = { kind, answers, signal: disconnected.signal, fileName, bytes: file.bytes }
      // Part of a file may have been imported, and `again` would import it twice.
      return runOnce(request, () => importFile(request.context, upload), { file, isUnclear: true })
    })
  }
}

async function uploadOf(request: FastifyRequest) {
  const { fileName, bytes } = await openFile(request, FORM)
  if (!/\.(?:csv|xlsx)$/i.test(fileName)) throw new AppError('IMPORT_TYPE_UNSUPPORTED')
  return { fileName: fileName.replaceAll(/\p{Cc}/gu, '').slice(-255), bytes }
}
