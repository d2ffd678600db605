import type { ReaderContext } from '#server/context.ts'
import type { ListSettings } from '#shared/schemas/views.ts'
import { getListSettings } from '#server/views/list-settings.service.ts'
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

export function listSettingsTable(ctx: ReaderContext): ExportTable<ListSettings> {
  return {
    headings: ['Columns of Contracts'],
    cells: ({ contractColumns }) => [contractColumns],
    async *batches() {
      yield [await getListSettings(ctx)]
    },
  }
}
