import { z } from 'zod'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const name = z.string().min(1)

const Table = z.object({
  schema: name,
  name,
  /** Those that are stored, in their order. */
  columns: z.array(name).min(1),
  rows: z.int(),
  sha256,
})

/** What a backup holds, written last: without it a backup is not whole. Each hash is of the bytes as they were read. */
export const Manifest = z.object({
  /** The version of TRAXX. */
  version: name,
  madeAt: z.iso.datetime(),
  /** What the names of the database's files begin with: see `readInstallation`. */
  installation: z.uuid(),
  /** In the order in which they ran. */
  migrations: z.array(name).min(1),
  tables: z.array(Table),
  sequences: z.array(z.object({ schema: name, name, value: z.int() })),
  files: z.array(z.object({ key: name, sha256 })),
  /** Files that rows point at and that could not be read when the backup was made. */
  missing: z.array(name),
})

export type Manifest = z.output<typeof Manifest>
export type BackupTable = z.output<typeof Table>

/** Readable without a key. */
export const Header = z.object({
  /** Backups of format 1 derived their key with less work, and are refused. */
  format: z.literal(2),
  /** What the key is derived with; null if the backup is not encrypted. */
  salt: z.base64().nullable(),
})

export const HEADER = 'backup.json'
export const MANIFEST = 'manifest.json'

/** Where a table is within its backup. */
export function tableKey({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return `tables/${schema}.${name}`
}

/** Where a stored file is within its backup. */
export function fileKey(key: string): string {
  return `files/${key}`
}
