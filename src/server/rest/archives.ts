import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { ImportArchive, LARGEST_ARCHIVE_BYTES } from '#shared/schemas/archives.ts'
import { importArchive } from '#server/archives/archive.service.ts'
import { requireSubscriber } from '#server/context.ts'
import { takes } from './input.ts'
import { hashed, runOnce } from './once.ts'
import { openFile, type FileForm } from './uploads/form-file.ts'
import { takeForms } from './uploads/upload-forms.ts'

const FORM: FileForm = {
  field: 'file',
  maxFileBytes: LARGEST_ARCHIVE_BYTES,
  notAForm: 'IMPORT_FORM_REQUIRED',
  tooLarge: 'ARCHIVE_FILE_TOO_LARGE',
  noFile: 'IMPORT_FILE_REQUIRED',
  unreadable: 'IMPORT_FORM_UNREADABLE',
}

export async function archiveRoutes(app: FastifyInstance) {
  await takeForms(app, FORM)
  app.post('/imports/archive', takes(ImportArchive), async (request, reply) => {
    requireSubscriber(request.context)
    const answers = ImportArchive.parse(request.query)
    const disconnected = new AbortController()
    reply.raw.once('close', () => disconnected.abort())
    const { fileName, bytes } = await openFile(request, FORM)
    if (!/\.zip$/i.test(fileName)) throw new AppError('ARCHIVE_TYPE_UNSUPPORTED')
    const upload = { answers, signal: disconnected.signal }
    if (answers.preview) return importArchive(request.context, { ...upload, bytes })
    const file = hashed(bytes)
    return runOnce(request, () => importArchive(request.context, { ...upload, bytes: file.bytes }), { file })
  })
}
