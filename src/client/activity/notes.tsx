import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ActivitySubject } from '#shared/domain/activity.ts'
import { MAX_NOTE } from '#shared/schemas/activity.ts'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Inputs, type Outputs } from '#client/api/trpc.ts'
import { inRows, useAtOnce } from '#client/api/use-at-once.ts'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { formatDate } from '#client/text/format.ts'
import { ConfirmDialog } from '#client/ui/dialogs/confirm-dialog.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { ENTRIES, useRowFocus } from '#client/ui/lists/use-row-focus.ts'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { actorText } from './activity-words.ts'
import classes from './history.module.css'

type Note = Outputs['notes']['list'][number]

const FAILURE = { failed: 'Failed to save note', network: 'Network error' }

interface Subject {
  about: ActivitySubject
  id: number
}

/** What people have written about a customer or contract. */
export function Notes(subject: Subject) {
  const [isAdding, setIsAdding] = useState(false)
  const notes = trpc.notes.list.useQuery(subject)
  const removal = useDialogAbout<Note>()
  const { list } = useRowFocus(notes.data, ENTRIES)
  const kept = useKeptFocus(String(isAdding))
  const { add, remove } = useNoteChanges(() => setIsAdding(false))
  return (
    <div {...kept}>
      <div {...list}>
        <PageSection
          title="Notes"
          action={
            !isAdding && (
              <ChangeButton size="xs" variant="default" onClick={() => setIsAdding(true)}>
                Add Note
              </ChangeButton>
            )
          }
        >
          {isAdding && (
            <NoteForm
              label="New note"
              text=""
              isSaving={add.isPending}
              onSave={(text) => add.mutate({ ...subject, text })}
              onCancel={() => setIsAdding(false)}
            />
          )}
          {notes.isPending && <Placeholder heights={[40]} />}
          <QueryError query={notes} failed="Failed to fetch notes" />
          {notes.data && <NoteList notes={notes.data} isAdding={isAdding} onDelete={removal.open} />}
        </PageSection>
      </div>
      <ConfirmDialog
        opened={removal.opened}
        title="Delete Note"
        confirmLabel="Delete"
        danger
        onConfirm={() => {
          ignoreSecondClick()
          removal.close()
          if (removal.about) remove.mutate({ id: removal.about.id })
        }}
        onCancel={removal.close}
      >
        <p>Delete this note?</p>
      </ConfirmDialog>
    </div>
  )
}

interface NoteListProps {
  notes: Note[]
  isAdding: boolean
  onDelete: (note: Note) => void
}

function NoteList({ notes, isAdding, onDelete }: NoteListProps) {
  if (notes.length > 0) {
    return (
      <ul className={classes.list} aria-label="Notes">
        {notes.map((note) => (
          <Entry key={note.id} note={note} onDelete={() => onDelete(note)} />
        ))}
      </ul>
    )
  }
  if (isAdding) return null
  return (
    <Text size="sm" c="dimmed">
      No notes yet
    </Text>
  )
}

/** A text stays in its form until the server has it. */
function useSaving(onSaved: () => void) {
  const { notes } = trpc.useUtils()
  return {
    onSuccess: onSaved,
    onError: (error: unknown) => toastFailure(failureText(error, FAILURE)),
    onSettled: () => notes.invalidate(),
  }
}

function useNoteChanges(onAdded: () => void) {
  return {
    add: trpc.notes.add.useMutation(useSaving(onAdded)),
    remove: trpc.notes.remove.useMutation({
      ...useAtOnce('notes', removed, { failure: { failed: 'Failed to delete note', network: 'Network error' } }),
      onSuccess: () => toastSuccess('Note deleted'),
    }),
  }
}

function removed({ id }: Inputs['notes']['remove']) {
  return inRows<Note>(() => null, Number(id))
}

function Entry({ note, onDelete }: { note: Note; onDelete: () => void }) {
  const [isEditing, setIsEditing] = useState(false)
  const kept = useKeptFocus(String(isEditing))
  const change = trpc.notes.update.useMutation(useSaving(() => setIsEditing(false)))
  const author = [actorText(note.by), formatDate(note.createdAt), ...(note.editedAt ? ['edited'] : [])]
  return (
    <Stack component="li" gap={4} className={classes.entry}>
      <div {...kept}>
        {isEditing ? (
          <NoteForm
            label="Note"
            text={note.text}
            isSaving={change.isPending}
            onSave={(text) => change.mutate({ id: note.id, text })}
            onCancel={() => setIsEditing(false)}
          />
        ) : (
          <>
            <Text size="sm" className={classes.text}>
              {note.text}
            </Text>
            <Group gap="xs" justify="space-between">
              <Text size="xs" c="dimmed">
                {author.filter((part) => part !== '').join(', ')}
              </Text>
              {note.isOwn && (
                <Group gap={4}>
                  <ChangeButton size="compact-xs" variant="subtle" onClick={() => setIsEditing(true)}>
                    Edit
                  </ChangeButton>
                  <ChangeButton size="compact-xs" variant="subtle" color="red" onClick={onDelete}>
                    Delete
                  </ChangeButton>
                </Group>
              )}
            </Group>
          </>
        )}
      </div>
    </Stack>
  )
}

interface NoteFormProps {
  label: string
  /** What is in it at first. */
  text: string
  isSaving: boolean
  onSave: (text: string) => void
  onCancel: () => void
}

/** Escape leaves it only while nothing has been written. */
function NoteForm({ label, text: initial, isSaving, onSave, onCancel }: NoteFormProps) {
  const [text, setText] = useState(initial)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const save = () => {
    if (isSaving) return
    if (text.trim() === '') setError('Write a note')
    else onSave(text)
  }
  return (
    <Stack gap="xs">
      <UnsavedChanges isDirty={text !== initial} />
      <Textarea
        label={label}
        rows={4}
        maxLength={MAX_NOTE}
        ref={field}
        value={text}
        error={error}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setError(undefined)
        }}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Escape' && text === initial) onCancel()
          if (key === 'Enter' && (ctrlKey || metaKey)) save()
        }}
      />
      <Group gap="xs">
        <Button size="xs" loading={isSaving} onClick={save}>
          Save Note
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
