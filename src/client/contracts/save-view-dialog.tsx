import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import type { ContractsSearch } from './contracts-search.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { viewOf } from './view-search.ts'

interface SaveViewDialogProps {
  opened: boolean
  search: ContractsSearch
  onClose: () => void
}

/** Saves the filters, order and columns of the page under a name. */
export function SaveViewDialog({ opened, search, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<string>()
  const utils = trpc.useUtils()
  const save = trpc.views.save.useMutation({
    onSuccess: (view) => {
      void utils.views.list.invalidate()
      toastSuccess(`View "${view.name}" saved`)
      onClose()
    },
    onError: (error) => setFailure(failureText(error, { failed: 'Failed to save the view', network: 'Network error' })),
  })
  const submit = () => {
    const problem = name.trim() === '' ? 'Enter a name' : undefined
    setFailure(problem)
    if (!problem) save.mutate({ name, search: viewOf(search) })
  }
  return (
    <FormDialog
      opened={opened}
      title="Save View"
      submitLabel="Save View"
      busy={save.isPending}
      unsaved={name !== ''}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      <Text size="sm">A view keeps the filters, the order and the columns that the page has now.</Text>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}
