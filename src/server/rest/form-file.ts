import type { FastifyRequest } from 'fastify'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import { checkForm, type UploadForm } from './upload-forms.ts'

/** A form whose one file is wanted. */
export interface FileForm extends UploadForm {
  /** The field that the file is sent in. */
  field: string
  noFile: RefusalKey
  unreadable: RefusalKey
}

/** The bytes of the one file in the form, which fails at its end where the form holds more. */
export async function* fileOf(request: FastifyRequest, form: FileForm): AsyncGenerator<Uint8Array> {
  checkForm(request, form)
  try {
    yield* onlyFile(request, form)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError(form.unreadable, { cause: error })
  }
}

async function* onlyFile(request: FastifyRequest, { field, noFile, unreadable, tooLarge }: FileForm) {
  // Nothing would ever come of a request whose client has gone.
  if (request.raw.destroyed) throw new AppError(unreadable)
  let found = 0
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue
    found += 1
    if (part.fieldname !== field || found > 1) throw new AppError(noFile)
    yield* part.file
    if (part.file.truncated) throw new AppError(tooLarge)
  }
  if (found === 0) throw new AppError(noFile)
}
