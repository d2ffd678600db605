import { VisuallyHidden } from '@mantine/core'
import { useNoStrayFiles } from '#client/ui/drop-target.tsx'
import { useUploadNews } from './pdf-uploads.ts'
import type { usePdfs } from './use-pdfs.ts'

/** What the PDFs of a page need beside what is seen of them: a way to files, and a voice. */
export function PdfPicker({ input, onChosen, lastNews }: ReturnType<typeof usePdfs>['picker']) {
  const news = useUploadNews()
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
          // So that the same file can be chosen again.
          currentTarget.value = ''
          if (files.length > 0) onChosen(files)
        }}
      />
      <VisuallyHidden role="status">{news || lastNews}</VisuallyHidden>
    </>
  )
}
