import { Button, Group, NativeSelect, Stack, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { ConflictChoices, type ConflictField } from './conflict-choices.tsx'
import { EditConflict, type Versioned } from './edit-conflict.ts'
import classes from './edit-in-place.module.css'

/** A field of a record that is edited where it is shown. */
export interface InPlaceField<Values> extends ConflictField<Values> {
  name: keyof Values & string
  /** How its value is shown. */
  shown: (values: Values) => ReactNode
  type?: 'text' | 'date' | 'email' | 'tel'
  /** What can be chosen, if not anything can be typed. */
  options?: { value: string; label: string }[]
  placeholder?: string
  /** What to know before it is saved as entered. */
  note?: (entered: Values) => ReactNode
}

interface EditInPlaceProps<Values> {
  field: InPlaceField<Values>
  /** As they are saved. */
  values: Values
  /** What is wrong with the field. */
  check: (values: Values, name: keyof Values & string) => string | undefined
  /** Resolves to false if nothing was saved, which has then been said. */
  save: (values: Values, before: Values) => Promise<boolean>
  failureOf: (error: unknown) => string
}

interface Editing<Values> {
  before: Values
  draft: Values
  error?: string | undefined
  conflict?: EditConflict<Values>
}

/**
 * A value that a press turns into its input. Enter and leaving the input save it, Escape restores it. It is shown as saved
 * at once, and taken back if the server refuses; if somebody else has changed it as well, both values are shown. Whoever
 * leaves the app before the server has answered is asked first.
 */
export function EditInPlace<Values extends Versioned>({
  field,
  values,
  check,
  save,
  failureOf,
}: EditInPlaceProps<Values>) {
  const [editing, setEditing] = useState<Editing<Values>>()
  const [pending, setPending] = useState<Values>()
  const isRefused = useReadOnlyGuard()
  const { button, returnFocus } = useReturnedFocus(editing === undefined)

  const send = async ({ draft, before }: Editing<Values>) => {
    setPending(draft)
    setEditing(undefined)
    const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', askFirst)
    try {
      if (!(await save(draft, before))) setPending(undefined)
    } catch (error) {
      setPending(undefined)
      if (!(error instanceof EditConflict)) return toastFailure(failureOf(error))
      setEditing({ before: error.theirs, draft: error.merged, conflict: error })
    } finally {
      removeEventListener('beforeunload', askFirst)
    }
    return undefined
  }
  const submit = (edited: Editing<Values>) => {
    const { draft, before } = edited
    const error = check(draft, field.name)
    if (error !== undefined) return setEditing({ ...edited, error })
    if (Object.is(draft[field.name], before[field.name])) return setEditing(undefined)
    return void send(edited)
  }
  if (editing) {
    return (
      <Editor
        field={field}
        editing={editing}
        onChange={(changes) => setEditing({ ...editing, ...changes, error: undefined })}
        onSubmit={submit}
        onCancel={() => setEditing(undefined)}
        onKey={returnFocus}
      />
    )
  }
  const shown = pending && pending.version >= values.version ? pending : values
  return (
    <UnstyledButton
      ref={button}
      className={classes.value ?? ''}
      onClick={() => isRefused() || setEditing({ before: values, draft: values })}
    >
      <VisuallyHidden>{`Edit ${field.label}: `}</VisuallyHidden>
      {field.shown(shown)}
    </UnstyledButton>
  )
}

/** After an input was left by a key, the focus returns to the value. */
function useReturnedFocus(isClosed: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const isByKey = useRef(false)
  useEffect(() => {
    if (isClosed && isByKey.current) button.current?.focus()
    isByKey.current = false
  }, [isClosed])
  return {
    button,
    returnFocus: () => {
      isByKey.current = true
    },
  }
}

interface EditorProps<Values> {
  field: InPlaceField<Values>
  editing: Editing<Values>
  onChange: (changes: Pick<Editing<Values>, 'draft'>) => void
  onSubmit: (editing: Editing<Values>) => void
  onCancel: () => void
  /** It is about to be left by a key. */
  onKey: () => void
}

function Editor<Values>({ field, editing, onChange, onSubmit, onCancel, onKey }: EditorProps<Values>) {
  const { draft, error, conflict } = editing
  const { name, label, type = 'text', options, placeholder, note } = field
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useEffect(() => {
    // The choices of a conflict take the focus themselves.
    input.current?.focus()
    if (type !== 'date') input.current?.select?.()
  }, [type])
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!conflict && !currentTarget.contains(relatedTarget)) onSubmit(editing)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    onKey()
    if (event.key === 'Enter') onSubmit(editing)
    else onCancel()
  }
  const control = {
    ref: input,
    'aria-label': label,
    size: 'xs',
    value: String(draft[name]),
    error,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ draft: Object.assign({}, draft, { [name]: currentTarget.value }) }),
    onKeyDown: press,
  }
  return (
    <Stack gap="xs" onBlur={leave}>
      {options ? (
        <NativeSelect {...control} data={options} />
      ) : (
        <TextInput {...control} type={type} autoComplete="off" placeholder={placeholder} />
      )}
      {note?.(draft)}
      {conflict && (
        <>
          <ConflictChoices
            conflict={conflict}
            fields={[field]}
            values={draft}
            onChoose={(changes) => onChange({ draft: { ...draft, ...changes } })}
          />
          <Group gap="xs">
            <Button size="xs" onClick={() => onSubmit(editing)}>
              Save
            </Button>
            <Button size="xs" variant="default" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
