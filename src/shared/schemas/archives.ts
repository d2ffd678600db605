import * as z from 'zod/mini'
import { flag } from './filters.ts'

/** What the JSON files of an archive look like. An archive in another format is refused. */
export const ARCHIVE_FORMAT = 1

/** As many bytes as an account's PDFs may have, and one more gigabyte for everything else. */
export const LARGEST_ARCHIVE_BYTES = 6 * 1024 ** 3

export const ImportArchive = z.object({
  /** Says what would be imported, and imports nothing. */
  preview: z._default(flag(), false),
  /** 'off': customers get no emails about the current renewal dates. */
  reminders: z._default(z.enum(['on', 'off'], 'Must be on or off'), 'on'),
})
export type ImportArchive = z.output<typeof ImportArchive>

/** What an archive brings. */
export interface ArchiveCounts {
  /** Without what is in the trash. */
  customers: number
  contracts: number
  inTrash: number
  /** Besides the first ones, which belong to the customers. */
  contacts: number
  /** Those that another term followed. */
  terms: number
  notes: number
  tags: number
  views: number
  pdfs: number
  /** Recorded changes of customers and contracts. */
  changes: number
  /** Messages that were sent, skipped or failed. */
  messages: number
  /** Addresses whose readers want no more email. */
  closedAddresses: number
}

/** What an archive has and an import leaves out. */
export interface ArchiveLeftOut {
  /** PDFs that the archive does not have, because they could not be read when it was made. */
  missingPdfs: number
  /** Messages that were waiting to be sent; they are listed as skipped. */
  waitingMessages: number
  /** Saved views of a customer who no longer exists. */
  views: number
  /** Message templates with links, which only paying accounts can use. */
  textsWithLinks: number
}
