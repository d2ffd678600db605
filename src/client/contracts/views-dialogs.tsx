import type { ContractsSearch } from './contracts-search.ts'
import { ColumnsDialog } from './columns-dialog.tsx'
import { EditViewsDialog } from './edit-views-dialog.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'

interface ViewsDialogsProps {
  dialog: { name: 'save' | 'edit' | 'columns'; opened: boolean }
  search: ContractsSearch
  onSearch: (changes: Partial<ContractsSearch>) => void
  onClose: () => void
}

export function ViewsDialogs({ dialog: { name, opened }, search, onSearch, onClose }: ViewsDialogsProps) {
  return (
    <>
      <SaveViewDialog key={`${name} ${opened}`} opened={opened && name === 'save'} search={search} onClose={onClose} />
      <EditViewsDialog opened={opened && name === 'edit'} onClose={onClose} />
      <ColumnsDialog
        opened={opened && name === 'columns'}
        columns={search.columns}
        onColumns={(columns) => onSearch({ columns })}
        onClose={onClose}
      />
    </>
  )
}
