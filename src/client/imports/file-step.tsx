import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/CheckboxCard.layer.css'
import '@mantine/core/styles/CheckboxIndicator.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { REFUSALS } from '#shared/errors.ts'
import { LARGEST_IMPORT_BYTES, type ImportKind } from '#shared/schemas/imports.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { FileDrop } from '#client/ui/files/file-drop.tsx'
import { useDownload } from '#client/identity/use-download.ts'
import { templateFile } from './import-texts.ts'
import type { BulkUpload } from './use-bulk-upload.ts'

interface FileStepProps {
  kind: ImportKind
  bulk: BulkUpload
  onClose: () => void
}

/** Choosing a file and how to import it. */
export function FileStep({ kind, bulk, onClose }: FileStepProps) {
  const { file, createsCustomers, error } = bulk
  const { save, busy } = useDownload()
  const [refusal, setRefusal] = useState<string>()
  const wrong = refusal ?? error
  const choose = (chosen: File) => {
    setRefusal(refusalOf(chosen))
    bulk.choose(chosen)
  }
  const send = () => {
    const found = refusalOf(file)
    setRefusal(found)
    if (!found) bulk.send()
  }
  return (
    <Stack>
      <FileDrop
        label="File to upload"
        hint=".csv or .xlsx, up to 50 MB"
        accept=".csv,.xlsx"
        file={file}
        onFile={choose}
      />
      <Text size="sm" c="dimmed">
        {HINTS[kind]}{' '}
        <Button
          variant="transparent"
          size="compact-sm"
          px={0}
          loading={busy !== undefined}
          onClick={() => save(templateFile(kind))}
        >
          Download the Template
        </Button>
      </Text>
      {kind === 'contracts' && (
        <Checkbox
          label="Create missing customers"
          description="Otherwise, rows for customers you don't have yet will fail."
          checked={createsCustomers}
          onChange={({ currentTarget }) => bulk.setCreatesCustomers(currentTarget.checked)}
        />
      )}
      <DialogButtons error={wrong}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={send}>Upload</Button>
      </DialogButtons>
    </Stack>
  )
}

const HINTS: Record<ImportKind, string> = {
  customers: 'One of the first ten lines must contain the column headings. Only the name is required.',
  contracts:
    'One of the first ten lines must contain the column headings. Customers are matched by customer number, name, or ID.',
}

function refusalOf(file: File | undefined): string | undefined {
  if (!file || !/\.(?:csv|xlsx)$/i.test(file.name)) return REFUSALS.IMPORT_TYPE_UNSUPPORTED.message
  return file.size > LARGEST_IMPORT_BYTES ? REFUSALS.IMPORT_TOO_LARGE.message : undefined
}
