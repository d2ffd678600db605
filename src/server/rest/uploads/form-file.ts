import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, type RefusalKey } from '#shared/errors.ts'
import { AROUND_FILE_BYTES, checkForm, type UploadForm } from './upload-forms.ts'

/** A form with one file. */
export interface FileForm extends UploadForm {
  /** The field that the file is sent in. */
  field: string
  noFile: RefusalKey
  unreadable: RefusalKey
}

/** The file of a form that is still being received. */
interface ArrivingFile {
  fileName: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * The one file of the form, as soon as its first bytes have come. Reading its bytes throws at their end if the form has
 * more files. @throws the refusals of the form
 */
export async function openFile(request: FastifyRequest, form: FileForm): Promise<ArrivingFile> {
  checkForm(request, form)
  // A request whose client has disconnected would never end.
  if (request.raw.destroyed) throw new AppError(form.unreadable)
  const parts = request.parts()
  const part = await nextFile(parts).catch((error: unknown) => refuse(error, form))
  if (part?.fieldname !== form.field) throw new AppError(form.noFile)
  return { fileName: part.filename, bytes: bytesOf({ part, parts, request }, form) }
}

/** The bytes of the one file in the form, like those of `openFile`. */
export async function* fileOf(request: FastifyRequest, form: FileForm): AsyncGenerator<Uint8Array> {
  const { bytes } = await openFile(request, form)
  yield* bytes
}

type Parts = AsyncIterableIterator<Multipart>

interface Arriving {
  part: MultipartFile
  parts: Parts
  request: FastifyRequest
}

async function* bytesOf({ part: { file }, parts, request }: Arriving, form: FileForm): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const piece of file) {
      size += Buffer.byteLength(piece)
      yield piece
    }
    if (file.truncated) throw new AppError(form.tooLarge)
    if (await nextFile(parts)) throw new AppError(form.noFile)
    // The parser silently cuts off headers and fields that are too long.
    if (Number(request.headers['content-length']) - size > AROUND_FILE_BYTES) throw new AppError(form.unreadable)
  } catch (error) {
    refuse(error, form)
  }
}

async function nextFile(parts: Parts): Promise<MultipartFile | undefined> {
  for (;;) {
    const { value, done } = await parts.next()
    if (done) return undefined
    if (value.type === 'file') return value
  }
}

function refuse(cause: unknown, { unreadable }: FileForm): never {
  throw cause instanceof AppError ? cause : new AppError(unreadable, { cause })
}
