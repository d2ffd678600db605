import type { ImportKind } from '#shared/schemas/imports.ts'
import { FileStep, type Template } from './file-step.tsx'
import { ProgressStep } from './progress-step.tsx'
import { QuestionStep } from './question-step.tsx'
import { ResultStep } from './result-step.tsx'
import { Step } from './step.tsx'
import type { TakeableImport } from './take-back-dialog.tsx'
import type { BulkUpload } from './use-bulk-upload.ts'

interface UploadStepsProps {
  kind: ImportKind
  bulk: BulkUpload
  template: Template
  onTakeBack: (taken: TakeableImport) => void
  onClose: () => void
}

/** The file, how far it is, what is asked about it, and what came of it: one after the other. */
export function UploadSteps({ kind, bulk, template, onClose, ...rest }: UploadStepsProps) {
  const { isPending, file, question, answer, reminders } = bulk
  if (isPending) {
    return (
      <Step key="progress">
        <ProgressStep kind={kind} bulk={bulk} onClose={onClose} />
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
  if (answer) {
    return (
      <Step key="result">
        <ResultStep
          {...{ kind, answer, reminders, onClose, ...rest }}
          fileName={file?.name ?? ''}
          onAnother={bulk.forget}
        />
      </Step>
    )
  }
  return <FileStep kind={kind} bulk={bulk} template={template} onClose={onClose} />
}
