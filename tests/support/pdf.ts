import { randomBytes } from 'node:crypto'
import type { FileStore } from '#server/storage/file-store.ts'

const HEAD = '%PDF-1.4\n'
const TAIL = '\nstartxref\n9\n%%EOF\n'

/** A PDF of this size, with a valid beginning and end. Each is different. */
export function aPdf(size = 4096): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(HEAD), randomBytes(size - HEAD.length - TAIL.length), Buffer.from(TAIL)])
}

/** A form with this file in the field `pdf`. */
export function formWith(
  file: Uint8Array<ArrayBuffer>,
  { field = 'pdf', name = 'agreement.pdf', type = 'application/pdf' } = {},
) {
  const form = new FormData()
  form.append(field, new Blob([file], { type }), name)
  return form
}

/** A form's beginning and end around one file in the field `pdf`, for who sends it piece by piece. */
export const FORM = {
  type: 'multipart/form-data; boundary=piecewise',
  head: '--piecewise\r\nContent-Disposition: form-data; name="pdf"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n',
  tail: '\r\n--piecewise--\r\n',
}

/** The keys of all stored files in these folders. */
export async function keysIn(files: FileStore, ...folders: string[]): Promise<string[]> {
  const lists = await Promise.all(folders.map((folder) => all(files.list(folder))))
  return lists.flat().map(({ key }) => key)
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
