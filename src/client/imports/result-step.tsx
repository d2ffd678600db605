import { Alert, Button, Stack, Text } from '@mantine/core'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { formatCount } from '#client/text/format.ts'
import { DownloadErrors } from './download-errors.tsx'
import { FailedRows } from './failed-rows.tsx'
import type { ImportResult } from './import-result.ts'
import { updatedText } from './import-texts.ts'
import { counted } from '#client/text/counted.ts'
import classes from './result-step.module.css'
import type { UndoableImport } from './undo-dialog.tsx'

interface ResultStepProps {
  kind: ImportKind
  fileName: string
  result: ImportResult
  /** Whether customers get emails about the imported renewal dates, if that was asked. */
  reminders: string | undefined
  onUndo: (target: UndoableImport) => void
  /** Imports the failed rows again, and creates their customers. */
  onCreateMissing: () => void
  onAnother: () => void
  onClose: () => void
}

/** The result of an import, row by row if rows failed. */
export function ResultStep({
  kind,
  fileName,
  result,
  reminders,
  onUndo,
  onCreateMissing,
  onAnother,
  onClose,
}: ResultStepProps) {
  const { importId, created, updated, failed, createdCustomers, missingCustomers } = result
  const hasImported = created + createdCustomers + updated > 0
  return (
    <Stack>
      <Alert color={colorOf(result)} role="status">
        {completeText(result)}
        {!hasImported && ' Nothing was imported.'}
      </Alert>
      <Notes {...result} />
      {missingCustomers > 0 && <MissingCustomers rows={missingCustomers} onCreate={onCreateMissing} />}
      {created + updated > 0 && reminders && CHOSEN[reminders] && <Text size="sm">{CHOSEN[reminders]}</Text>}
      {failed > 0 && (
        <FailedRows {...result}>
          <DownloadErrors importId={importId} size="xs" />
        </FailedRows>
      )}
      <DialogButtons>
        {hasImported && (
          <ChangeButton
            variant="default"
            onClick={() => onUndo({ id: importId, kind, fileName, created, createdCustomers, updatedKept: updated })}
          >
            Undo Import
          </ChangeButton>
        )}
        <Button variant="default" onClick={onAnother}>
          Upload Another File
        </Button>
        <Button variant={missingCustomers > 0 ? 'default' : 'filled'} onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Stack>
  )
}

function MissingCustomers({ rows, onCreate }: { rows: number; onCreate: () => void }) {
  return (
    <div>
      <Text size="sm" mb="xs">
        {rows === 1 ? '1 row names a customer' : `${formatCount(rows)} rows name customers`} you don't have yet.
      </Text>
      <Button className={classes.long ?? ''} onClick={onCreate}>
        Create Missing Customers and Import Again
      </Button>
    </div>
  )
}

const CHOSEN: Record<string, string> = {
  on: 'Customers will get emails about these renewal dates.',
  off: 'Customers will not get emails about these renewal dates.',
}

export function completeText({ created, updated, failed }: ImportResult): string {
  const done = `${formatCount(created)} created, ${updatedText(updated)}${formatCount(failed)} failed`
  const complete = `Bulk upload complete: ${done}.`
  return failed > 0 ? `${complete} Some rows failed.` : complete
}

function colorOf({ created, updated, failed }: ImportResult): string {
  if (failed === 0) return 'green'
  return created + updated > 0 ? 'yellow' : 'red'
}

function Notes({ unchanged, createdCustomers, repeated, ignoredColumns }: ImportResult) {
  return (
    <>
      {repeated > 0 && (
        <Text size="sm">
          {repeated === 1 ? '1 repeated row was' : `${formatCount(repeated)} repeated rows were`} left out.
        </Text>
      )}
      {unchanged > 0 && (
        <Text size="sm">
          {unchanged === 1 ? '1 contract' : `${formatCount(unchanged)} contracts`} you already have stayed as{' '}
          {unchanged === 1 ? 'it was.' : 'they were.'}
        </Text>
      )}
      {createdCustomers > 0 && <Text size="sm">Also created {counted(createdCustomers, 'customers')}.</Text>}
      {ignoredColumns.length > 0 && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Columns not imported: {ignoredColumns.join(', ')}
        </Text>
      )}
    </>
  )
}
