import { Button } from '@mantine/core'
import { UploadIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'

const Archive = onDemand(async () => (await import('./archive-dialog.tsx')).ArchiveDialog)

/** Opens the import of another account's archive. */
export function ArchiveButton() {
  const [opened, setOpened] = useState(false)
  return (
    <div {...whenButtonNears(Archive.prefetch)}>
      <Button variant="default" leftSection={<UploadIcon aria-hidden />} onClick={() => setOpened(true)}>
        Import an Archive
      </Button>
      <Archive.Part wanted={opened} opened={opened} onClose={() => setOpened(false)} />
    </div>
  )
}
