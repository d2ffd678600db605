import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LARGEST_ARCHIVE_BYTES } from '#shared/schemas/archives.ts'
import { ARCHIVE_REFUSALS } from '#shared/refusals/archive.ts'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyReason } from '#client/api/use-read-only.ts'
import { counted } from '#client/text/counted.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { useUnsaved } from '#client/ui/dialogs/use-unsaved.ts'
import { FileDrop } from '#client/ui/files/file-drop.tsx'
import { ProgressLine } from '#client/ui/files/progress-line.tsx'
import { ArchivePreview } from './archive-preview.tsx'
import type { ArchiveResult } from './archive-result.ts'
import { Step } from './step.tsx'
import { useArchiveImport, type ArchiveImport } from './use-archive-import.ts'

interface ArchiveDialogProps {
  opened: boolean
  onClose: () => void
}

/** Imports the archive of another account: choose the file, see what it brings, import it. */
export function ArchiveDialog({ opened, onClose }: ArchiveDialogProps) {
  const archive = useArchiveImport()
  return (
    <Dialog
      opened={opened}
      title="Import an Archive"
      size="lg"
      busy={archive.isPending}
      onClose={onClose}
      onClosed={archive.forget}
    >
      <Steps archive={archive} onClose={onClose} />
    </Dialog>
  )
}

function Steps({ archive, onClose }: { archive: ArchiveImport; onClose: () => void }) {
  const { isPending, file, preview, result, write, stop } = archive
  // Also while an archive that was checked waits for an answer.
  useUnsaved(file !== undefined && !isPending && !result)
  if (isPending) {
    return (
      <Step key="progress">
        <Progress {...archive} />
      </Step>
    )
  }
  if (preview) {
    return (
      <Step key="preview">
        <ArchivePreview preview={preview} onImport={write} onCancel={stop} />
      </Step>
    )
  }
  if (result) {
    return (
      <Step key="result">
        <Result result={result} onClose={onClose} />
      </Step>
    )
  }
  return <FileStep archive={archive} onClose={onClose} />
}

function FileStep({ archive, onClose }: { archive: ArchiveImport; onClose: () => void }) {
  const { file, error, choose, check } = archive
  const [refusal, setRefusal] = useState<string>()
  const [isUsed, readOnly] = [useIsUsed(), useReadOnlyReason()]
  const obstacle = readOnly ?? (isUsed ? ARCHIVE_REFUSALS.ARCHIVE_ACCOUNT_USED.message : undefined)
  if (obstacle) {
    return (
      <Stack>
        <Text role="alert">{obstacle}</Text>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </Stack>
    )
  }
  return (
    <Stack>
      <Text size="sm">
        This imports an exported account into this one: customers and contracts with their terms, notes, PDFs, and
        history, and the settings. You will see what is in the archive before anything is imported.
      </Text>
      <FileDrop
        label="Archive to import"
        hint="The .zip file of an exported account"
        accept=".zip"
        file={file}
        onFile={(chosen) => {
          setRefusal(refusalOf(chosen))
          choose(chosen)
        }}
      />
      <DialogButtons error={refusal ?? error}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          onClick={() => {
            const found = refusalOf(file)
            setRefusal(found)
            if (!found) check()
          }}
        >
          Check Archive
        </Button>
      </DialogButtons>
    </Stack>
  )
}

/** Whether there are customers or contracts; what is in the trash only the server knows. */
function useIsUsed(): boolean {
  const customers = trpc.customers.figures.useQuery()
  const contracts = trpc.contracts.figures.useQuery()
  return (customers.data?.total ?? 0) + (contracts.data?.total ?? 0) > 0
}

function refusalOf(file: File | undefined): string | undefined {
  if (!file || !/\.zip$/i.test(file.name)) return ARCHIVE_REFUSALS.ARCHIVE_TYPE_UNSUPPORTED.message
  return file.size > LARGEST_ARCHIVE_BYTES ? ARCHIVE_REFUSALS.ARCHIVE_FILE_TOO_LARGE.message : undefined
}

function Progress({ file, sent, isImporting, isBeingWritten, stop }: ArchiveImport) {
  const [label, done] =
    sent < 1 ? ['Uploading the archive...', sent] : [isImporting ? 'Importing...' : 'Checking the archive...']
  return (
    <Stack gap="lg">
      <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {file?.name}
      </Text>
      <ProgressLine label={label} done={done} />
      <Text size="sm" c="dimmed">
        {isBeingWritten
          ? 'Please keep this page open. A large archive takes several minutes.'
          : 'Nothing has been imported yet.'}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" disabled={isBeingWritten} onClick={stop}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

function Result({
  result: { counts, mail, unconfirmedReplyTo, confirmsRenewals },
  onClose,
}: {
  result: ArchiveResult
  onClose: () => void
}) {
  return (
    <Stack>
      <Alert color="green" role="status">
        Imported {counted(counts.customers, 'customers')} and {counted(counts.contracts, 'contracts')}.
      </Alert>
      <Text size="sm">
        {mail.emails > 0
          ? 'Customers will get emails about these contracts from tomorrow on.'
          : `Customers will get no ${confirmsRenewals ? 'reminders' : 'emails'} about these contracts in the next 90 days.`}
        {confirmsRenewals && ' They will get an email when their contracts are renewed.'}
      </Text>
      {unconfirmedReplyTo !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Replies will go to your own address until you confirm {unconfirmedReplyTo} in the{' '}
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/company" {...props} />}>
            company settings
          </Anchor>
          .
        </Text>
      )}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <Button renderRoot={(props) => <Link to="/dashboard" {...props} />}>Go to Dashboard</Button>
      </DialogButtons>
    </Stack>
  )
}
