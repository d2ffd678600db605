import type { ImportKind } from '#shared/schemas/imports.ts'
import { Button } from '@mantine/core'
import { useReadOnlyReason } from '#client/api/use-read-only.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { useUnsaved } from '#client/ui/dialogs/use-unsaved.ts'
import { FileStep } from './file-step.tsx'
import { MappingStep } from './mapping-step.tsx'
import { ProgressStep } from './progress-step.tsx'
import { QuestionStep } from './question-step.tsx'
import { ResultStep } from './result-step.tsx'
import { Step } from './step.tsx'
import type { UndoableImport } from './undo-dialog.tsx'
import type { BulkUpload } from './use-bulk-upload.ts'

interface UploadStepsProps {
  kind: ImportKind
  bulk: BulkUpload
  onUndo: (target: UndoableImport) => void
  onClose: () => void
}

/** The steps of an upload: the file, its progress, questions about it, and the result. */
export function UploadSteps({ kind, bulk, onClose, onUndo }: UploadStepsProps) {
  const { isPending, file, question, result, reminders } = bulk
  const readOnly = useReadOnlyReason()
  // Also while the upload of the file waits for an answer.
  useUnsaved(file !== undefined && !isPending && !result)
  if (isPending) {
    return (
      <Step key="progress">
        <ProgressStep kind={kind} bulk={bulk} onClose={onClose} />
      </Step>
    )
  }
  if (question?.columns) {
    return (
      <Step key="mapping">
        <MappingStep
          text={question.text}
          columns={question.columns}
          onHeadingLine={bulk.readHeadingsFrom}
          onReply={bulk.reply}
          onCancel={bulk.stop}
        />
      </Step>
    )
  }
  if (question) {
    return (
      <Step key={`question ${question.parameter}`}>
        <QuestionStep question={question} onReply={bulk.reply} onCancel={bulk.stop} />
      </Step>
    )
  }
  if (result) {
    return (
      <Step key="result">
        <ResultStep
          {...{ kind, result, reminders, onClose, onUndo }}
          fileName={file?.name ?? ''}
          onCreateMissing={bulk.createMissing}
          onAnother={bulk.forget}
        />
      </Step>
    )
  }
  if (readOnly) {
    return (
      <DialogButtons error={readOnly}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    )
  }
  return <FileStep kind={kind} bulk={bulk} onClose={onClose} />
}
