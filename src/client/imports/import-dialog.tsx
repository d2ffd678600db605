import type { ImportKind } from '#shared/schemas/imports.ts'
import type { GetToken } from '#client/api/rest-request.ts'
import { useDownload } from '#client/api/use-download.ts'
import { BulkUploadDialog } from './bulk-upload-dialog.tsx'

interface ImportDialogProps {
  kind: ImportKind
  opened: boolean
  getToken: GetToken
  onClose: () => void
}

/** The bulk upload for a page that is no list. */
export function ImportDialog(props: ImportDialogProps) {
  const { save, busy } = useDownload(props.getToken)
  const template = { path: `/${props.kind}/bulk-template`, failed: 'Failed to download template' }
  return <BulkUploadDialog {...props} template={{ busy: busy === template.path, onSave: () => save(template) }} />
}
