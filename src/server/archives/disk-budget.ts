import { AppError } from '#shared/errors.ts'
import { LARGEST_ARCHIVE_BYTES } from '#shared/schemas/archives.ts'

/** A part of the disk that uploads share. */
class DiskBudget {
  readonly #mostBytes: number
  #usedBytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** For one upload; its space is free again once it is disposed of. */
  reserve(): Reservation {
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

interface Reservation extends Disposable {
  /** @throws ARCHIVE_BUSY if the uploads of all accounts do not leave as much */
  take(bytes: number): void
}

/** Archives wait for each other on the disk, each for minutes. */
export const archiveDisk = new DiskBudget(5 * LARGEST_ARCHIVE_BYTES)

/** The bytes, for which space is reserved before they are written. @throws ARCHIVE_BUSY */
export async function* reserving(
  reservation: Reservation,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    reservation.take(piece.length)
    yield piece
  }
}
