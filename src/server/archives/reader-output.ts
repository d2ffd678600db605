import { z } from 'zod'

// What the process that reads archives writes, and what it is given.

/** The descriptor of the open archive in that process. */
export const ARCHIVE_FILE = 3
/** Its exit code if it refuses the archive. */
export const REFUSED = 70

const count = z.int().min(0)

/** The last line of the output. */
export const ReadSummary = z.object({
  /** How many rows of each table are imported. */
  rows: z.record(z.string(), count),
  pdfs: z.object({ count, bytes: count }),
  /** Outside the trash. */
  customers: count,
  contracts: count,
  inTrash: count,
  waitingMessages: count,
  leftOutViews: count,
  missingPdfs: count,
})
export type ReadSummary = z.output<typeof ReadSummary>

/** The other lines: rows of a table in their stored form. */
export const ReadBatch = z.tuple([z.string(), z.array(z.record(z.string(), z.unknown()))])
export type ReadBatch = z.output<typeof ReadBatch>
/** One of these rows. */
export type StoredRow = ReadBatch[1][number]

const Entry = z.object({
  name: z.string(),
  method: z.int(),
  packedSize: count,
  size: count,
  offset: count,
  crc: count,
})

export const PdfRow = z.object({ contract: z.int().min(1), entry: Entry })
export const LogoRow = z.object({ entry: Entry })

/** What it writes to the standard error when it refuses an archive. */
export const ReadRefusal = z.object({
  key: z.enum([
    'ARCHIVE_UNREADABLE',
    'ARCHIVE_INCOMPLETE',
    'ARCHIVE_OF_OTHER_VERSION',
    'ARCHIVE_TOO_LARGE',
    'ARCHIVE_DAMAGED',
    'ARCHIVE_ROW_INVALID',
    'ARCHIVE_FILE_INVALID',
  ]),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
