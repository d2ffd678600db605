import '@mantine/core/styles/Tabs.layer.css'
import { Tabs } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { showToast, toastFailure, toastSuccess, UNDO_MS } from '#client/ui/toasts/toasts.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { RememberedColumns } from './remembered-columns.tsx'
import { completeText } from './result-step.tsx'
import { UndoDialog, type UndoableImport } from './undo-dialog.tsx'
import { UploadSteps } from './upload-steps.tsx'
import { useBulkUpload, type BulkUpload } from './use-bulk-upload.ts'

interface BulkUploadDialogProps {
  kind: ImportKind
  opened: boolean
  onOpen: () => void
  onClose: () => void
}

const TITLES = { customers: 'Bulk Upload Customers', contracts: 'Bulk Upload Contracts' }

/** Imports a file, and lists earlier imports. It can be closed while the server works. */
export function BulkUploadDialog({ kind, opened, onOpen, onClose }: BulkUploadDialogProps) {
  const bulk = useBulkUpload(kind)
  const [tab, setTab] = useState<string | null>('upload')
  const undo = useDialogAbout<UndoableImport>()
  const content = useRef<HTMLDivElement>(null)
  const isSending = bulk.isPending && bulk.sent < 1
  useResultToast(bulk, { opened, onAnswer: onOpen })
  return (
    <>
      <Dialog
        opened={opened}
        title={TITLES[kind]}
        size="lg"
        busy={isSending}
        covered={undo.opened}
        onClose={onClose}
        // It starts over each time it opens, unless an upload is in progress.
        onClosed={() => {
          setTab('upload')
          if (!bulk.isPending) bulk.forget()
        }}
      >
        <Tabs ref={content} tabIndex={-1} value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab px="xs" value="upload">
              Upload
            </Tabs.Tab>
            <Tabs.Tab px="xs" value="earlier" disabled={isSending}>
              Earlier imports
            </Tabs.Tab>
            <Tabs.Tab px="xs" value="columns" disabled={isSending}>
              Saved columns
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="upload">
            <UploadSteps {...{ kind, bulk }} onUndo={undo.open} onClose={onClose} />
          </Tabs.Panel>
          <Tabs.Panel value="earlier">
            <EarlierImports onUndo={undo.open} />
          </Tabs.Panel>
          <Tabs.Panel value="columns">
            <RememberedColumns kind={kind} />
          </Tabs.Panel>
        </Tabs>
      </Dialog>
      <UndoDialog
        opened={undo.opened}
        target={undo.about}
        onClose={undo.close}
        onClosed={(isUndone) => {
          if (isUndone) bulk.forget()
          // The button that opened it may have disappeared with the import.
          if (!content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true })
        }}
      />
    </>
  )
}

/** Shows the result on the page if the dialog is closed. */
function useResultToast(bulk: BulkUpload, { opened, onAnswer }: { opened: boolean; onAnswer: () => void }) {
  const notify = useEffectEvent(() => {
    if (opened || bulk.isPending) return
    if (bulk.result) toastSuccess(completeText(bulk.result))
    if (bulk.question) {
      const text = `Your bulk upload has a question: ${bulk.question.text}`
      showToast({ tone: 'error', text, durationMs: UNDO_MS, action: { label: 'Answer', onAct: onAnswer } })
    }
    if (bulk.error) toastFailure(bulk.error)
  })
  useEffect(() => notify(), [bulk.isPending])
}
