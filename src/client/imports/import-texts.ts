import type { ImportKind } from '#shared/schemas/imports.ts'
import { counted } from '#client/text/counted.ts'
import { formatCount } from '#client/text/format.ts'

interface Created {
  kind: ImportKind
  created: number
  createdCustomers: number
}

/** As in "12 contracts and 3 customers". */
export function createdText({ kind, created, createdCustomers }: Created): string {
  const along = createdCustomers > 0 ? ` and ${counted(createdCustomers, 'customers')}` : ''
  return counted(created, kind) + along
}

/** As in "37 updated, "; empty if none were. */
export function updatedText(updated: number): string {
  return updated > 0 ? `${formatCount(updated)} updated, ` : ''
}

/** How far an interrupted import got. */
export function interruptedText(throughLine: number): string {
  if (throughLine === 0) return 'It was interrupted before any rows were imported.'
  return `It was interrupted. Rows up to line ${formatCount(throughLine)} were imported, the rest were not.`
}

/** The template of a kind of file, to be downloaded. */
export function templateFile(kind: ImportKind) {
  return { path: `/${kind}/bulk-template`, failed: 'Failed to download template' }
}
