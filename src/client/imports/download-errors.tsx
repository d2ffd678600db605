import { Button } from '@mantine/core'
import { useDownload } from '#client/identity/use-download.ts'

interface DownloadErrorsProps {
  importId: number
  /** Tells this button from those of other imports. */
  fileName?: string
  size?: 'xs' | 'sm'
}

/** Saves the failed rows of an import with their reasons, to be corrected and imported again. */
export function DownloadErrors({ importId, fileName, size = 'sm' }: DownloadErrorsProps) {
  const { save, busy } = useDownload()
  return (
    <Button
      variant="default"
      size={size}
      aria-label={fileName === undefined ? undefined : `Download Errors for ${fileName}`}
      loading={busy !== undefined}
      onClick={() => save({ path: `/imports/${importId}/errors.csv`, failed: 'Failed to download errors' })}
    >
      Download Errors
    </Button>
  )
}
