import { VisuallyHidden } from '@mantine/core'
import { useNoStrayFiles } from '#client/ui/files/drop-target.tsx'
import { useUploadAnnouncement } from './pdf-uploads.ts'
import type { usePdfs } from './use-pdfs.ts'

/** The hidden file input, and announcements for screen readers. */
export function PdfPicker({ input, onChosen, announcement }: ReturnType<typeof usePdfs>['picker']) {
  const news = useUploadAnnouncement()
  useNoStrayFiles()
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/pdf"
        aria-label="PDF file"
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Lets the same file be chosen again.
          currentTarget.value = ''
          if (files.length > 0) onChosen(files)
        }}
      />
      <VisuallyHidden role="status">{news || announcement}</VisuallyHidden>
    </>
  )
}
