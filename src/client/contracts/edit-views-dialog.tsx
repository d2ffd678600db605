import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core'
import { ArrowDownIcon, ArrowUpIcon, TrashIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { useUnsaved } from '#client/ui/dialogs/use-unsaved.ts'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { toastFailure, toastUndo } from '#client/ui/toasts/toasts.tsx'

type View = Outputs['views']['list'][number]

const FAILURE = { failed: 'Failed to change the view', network: 'Network error' }

interface EditViewsDialogProps {
  opened: boolean
  onClose: () => void
}

/** Renames views, moves them, and deletes them. */
export function EditViewsDialog({ opened, onClose }: EditViewsDialogProps) {
  const { data: views = [] } = trpc.views.list.useQuery()
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit Views" size="md">
      <Stack gap="xs">
        {views.length === 0 && <Text size="sm">There are no saved views.</Text>}
        {views.map((view) => (
          <ViewFields key={view.id} view={view} isLast={view.position === views.length} />
        ))}
      </Stack>
    </Dialog>
  )
}

interface Written {
  /** The name that the view had when this was written. */
  saved: string
  written: string
  /** What is being saved, or has been. */
  sent?: string
}

function ViewFields({ view, isLast }: { view: View; isLast: boolean }) {
  const { id, name, position } = view
  const { update, remove } = useViewActions()
  const [{ saved, written, sent }, setState] = useState<Written>({ saved: name, written: name })
  const write = (text: string) => setState({ saved: name, written: text })
  if (name !== saved) write(name)
  const isChanged = written.trim() !== '' && written.trim() !== name && written !== sent
  const moveTo = (place: number) => {
    ignoreSecondClick()
    update({ id, position: place })
  }
  // Escape does not leave the field, which would save it.
  useUnsaved(isChanged)
  const rename = () => {
    if (written.trim() === '') write(name)
    if (!isChanged) return
    setState({ saved, written, sent: written })
    update({ id, name: written }, { onError: () => write(written) })
  }
  return (
    <Group gap={4} wrap="nowrap">
      <TextInput
        flex={1}
        aria-label={`Name of ${name}`}
        maxLength={60}
        autoComplete="off"
        value={written}
        onChange={({ currentTarget: { value } }) => write(value)}
        // Not where the question about closing, which hides this dialog, takes the focus.
        onBlur={({ currentTarget }) => getComputedStyle(currentTarget).visibility !== 'hidden' && rename()}
        onKeyDown={({ key }) => key === 'Enter' && rename()}
      />
      <ActionIcon
        variant="subtle"
        aria-label={`Move ${name} up`}
        disabled={position === 1}
        onClick={() => moveTo(position - 1)}
      >
        <ArrowUpIcon />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        aria-label={`Move ${name} down`}
        disabled={isLast}
        onClick={() => moveTo(position + 1)}
      >
        <ArrowDownIcon />
      </ActionIcon>
      <ActionIcon variant="subtle" color="red" aria-label={`Delete ${name}`} onClick={() => remove(view)}>
        <TrashIcon />
      </ActionIcon>
    </Group>
  )
}

function useViewActions() {
  const utils = trpc.useUtils()
  const options = {
    onSettled: () => void utils.views.list.invalidate(),
    onError: (error: unknown) => toastFailure(failureText(error, FAILURE)),
  }
  const update = trpc.views.update.useMutation(options)
  const save = trpc.views.save.useMutation(options)
  const remove = trpc.views.remove.useMutation(options)
  return {
    update: update.mutate,
    remove: ({ id, ...view }: View) => {
      ignoreSecondClick()
      remove.mutate(
        { id },
        { onSuccess: () => void toastUndo(`View "${view.name}" deleted`, () => save.mutateAsync(view)) },
      )
    },
  }
}
