import { AppError } from '#shared/errors.ts'
import { LARGEST_ARCHIVE_BYTES } from '#shared/schemas/archives.ts'

/** A part of the disk that uploads share. */
class UploadRoom {
  readonly #mostBytes: number
  #usedBytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** The space of one upload, which is free again once that is disposed of. */
  space(): UploadSpace {
    let own = 0
    return {
      take: (bytes) => {
        if (this.#usedBytes + bytes > this.#mostBytes) throw new AppError('ARCHIVE_BUSY')
        this.#usedBytes += bytes
        own += bytes
      },
      [Symbol.dispose]: () => {
        this.#usedBytes -= own
        own = 0
      },
    }
  }
}

interface UploadSpace extends Disposable {
  /** @throws ARCHIVE_BUSY if the uploads of all accounts do not leave as much */
  take(bytes: number): void
}

/** Archives wait for each other on the disk, each for minutes. */
export const archiveRoom = new UploadRoom(5 * LARGEST_ARCHIVE_BYTES)

/** The bytes, each of which takes space before it is written. @throws ARCHIVE_BUSY */
export async function* takingSpace(space: UploadSpace, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    space.take(piece.length)
    yield piece
  }
}
