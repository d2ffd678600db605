import { Button } from '@mantine/core'
import type { GetToken } from '#client/rest-address.ts'
import { useDownload } from '#client/use-download.ts'

interface DownloadErrorsProps {
  importId: number
  /** Tells this button from those of other imports. */
  fileName?: string
  size?: 'xs' | 'sm'
  getToken: GetToken
}

/** Saves the failed rows of an import with their reasons, to be corrected and imported again. */
export function DownloadErrors({ importId, fileName, size = 'sm', getToken }: DownloadErrorsProps) {
  const { save, busy } = useDownload(getToken)
  return (
    <Button
      variant="default"
      size={size}
      aria-label={fileName === undefined ? undefined : `Download errors for ${fileName}`}
      loading={busy !== undefined}
      onClick={() => save({ path: `/imports/${importId}/errors.csv`, failed: 'Failed to download errors' })}
    >
      Download errors
    </Button>
  )
}
