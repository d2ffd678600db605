import multipart from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import { answerError } from '#server/rest/answers/errors.ts'
import { answerBeforeBody } from './refused-uploads.ts'

/** What a form may hold, and the refusals if it holds something else. */
export interface UploadForm {
  maxFileBytes: number
  notAForm: RefusalKey
  tooLarge: RefusalKey
}

/** The boundaries and headers of a form are a few hundred bytes. */
export const AROUND_FILE_BYTES = 64 * 1024

/** Makes the bodies of a Fastify scope forms that are read as a stream; elsewhere they are JSON of up to 1 MB. */
export async function takeForms(app: FastifyInstance, { maxFileBytes, notAForm }: UploadForm): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: maxFileBytes + 1, files: 2, fields: 10, fieldSize: 1024, headerPairs: 20 },
  })
  answerBeforeBody(app, { maxBytes: maxFileBytes + AROUND_FILE_BYTES })
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isOtherType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    return answerError(isOtherType ? new AppError(notAForm) : error, request, reply)
  })
}

/** Refuses by the headers alone. @throws `notAForm`, `tooLarge` */
export function checkForm(request: FastifyRequest, { maxFileBytes, notAForm, tooLarge }: UploadForm): void {
  if (!request.isMultipart()) throw new AppError(notAForm)
  if (Number(request.headers['content-length']) > maxFileBytes + AROUND_FILE_BYTES) throw new AppError(tooLarge)
}

/** The smallest possible size of the form's file, by its headers. */
export function leastFileBytes({ headers }: FastifyRequest): number {
  return Math.max(0, Number(headers['content-length'] ?? 0) - AROUND_FILE_BYTES)
}
