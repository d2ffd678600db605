import '@mantine/core/styles/Tabs.layer.css'
import { Tabs } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import type { Template } from './file-step.tsx'
import { completeText } from './result-step.tsx'
import { TakeBackDialog, useTakeBack } from './take-back-dialog.tsx'
import { UploadSteps } from './upload-steps.tsx'
import { useBulkUpload, type BulkUpload } from './use-bulk-upload.ts'

interface BulkUploadDialogProps {
  kind: ImportKind
  opened: boolean
  template: Template
  onClose: () => void
}

const TITLES = { customers: 'Bulk Upload Customers', contracts: 'Bulk Upload Contracts' }

/** Imports a file, and leads back to earlier imports. It may be closed while the server works. */
export function BulkUploadDialog({ kind, opened, template, onClose }: BulkUploadDialogProps) {
  const bulk = useBulkUpload(kind)
  const [tab, setTab] = useState<string | null>('upload')
  const takeBack = useTakeBack()
  const content = useRef<HTMLDivElement>(null)
  const isSending = bulk.isPending && bulk.sent < 1
  useBackgroundNews(bulk, opened)
  return (
    <>
      <Dialog
        opened={opened}
        title={TITLES[kind]}
        size="lg"
        busy={isSending}
        covered={takeBack.opened}
        onClose={onClose}
        // Each opening starts anew, unless an upload is under way.
        onClosed={() => bulk.isPending || bulk.forget()}
      >
        <Tabs ref={content} tabIndex={-1} value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="upload">Upload a file</Tabs.Tab>
            <Tabs.Tab value="earlier" disabled={isSending}>
              Earlier imports
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="upload">
            <UploadSteps {...{ kind, bulk, template }} onTakeBack={takeBack.open} onClose={onClose} />
          </Tabs.Panel>
          <Tabs.Panel value="earlier">
            <EarlierImports onTakeBack={takeBack.open} />
          </Tabs.Panel>
        </Tabs>
      </Dialog>
      <TakeBackDialog
        {...takeBack}
        onClosed={(isTaken) => {
          if (isTaken) bulk.forget()
          // The button that it came from may be gone with the import.
          if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
        }}
      />
    </>
  )
}

/** Says on the page what came of an upload whose dialog is closed. */
function useBackgroundNews(bulk: BulkUpload, opened: boolean) {
  const tell = useEffectEvent(() => {
    if (opened || bulk.isPending) return
    if (bulk.answer) toastSuccess(completeText(bulk.answer))
    if (bulk.question) toastFailure(`Bulk Upload is waiting for your answer: ${bulk.question.text}`)
    if (bulk.error) toastFailure(bulk.error)
  })
  useEffect(() => tell(), [bulk.isPending])
}
