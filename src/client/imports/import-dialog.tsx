import type { ImportKind } from '#shared/schemas/imports.ts'
import { useDownload } from '#client/api/use-download.ts'
import { BulkUploadDialog } from './bulk-upload-dialog.tsx'

interface ImportDialogProps {
  kind: ImportKind
  opened: boolean
  onClose: () => void
}

/** The bulk upload for a page that is no list. */
export function ImportDialog(props: ImportDialogProps) {
  const { save, busy } = useDownload()
  const template = { path: `/${props.kind}/bulk-template`, failed: 'Failed to download template' }
  return <BulkUploadDialog {...props} template={{ busy: busy === template.path, onSave: () => save(template) }} />
}
