import type { ReaderContext } from '#server/context.ts'
import { listViews, type SavedView } from '#server/views/views.service.ts'
import type { ExportTable } from './tables.ts'

export function savedViewsTable(ctx: ReaderContext): ExportTable<SavedView> {
  return {
    headings: ['ID', 'Name', 'Address', 'Position'],
    cells: ({ id, name, search, position }) => [id, name, JSON.stringify(search), position],
    async *batches() {
      yield await listViews(ctx)
    },
  }
}
