import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactNode, type SubmitEventHandler } from 'react'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { showToast, toastFailure } from '#client/ui/toasts/toasts.tsx'
import { ConflictChoices, type ConflictField } from './conflict-choices.tsx'
import { EditConflict } from './edit-conflict.ts'

type RecordPage = '/contracts/$id' | '/customers/$id'

/** As much of `useForm` as is needed here. */
interface Form<Values> {
  submitting: boolean
  getInitialValues: () => Values
  getValues: () => Values
  setInitialValues: (values: Values) => void
  values: Values
  setValues(values: Partial<Values>): void
  clearErrors: () => void
  reset: () => void
  isDirty: () => boolean
  // Methods, because parameters of methods are compared loosely: the form's own take the names of its fields.
  setFieldError(field: string, text: string): void
  getInputNode(field: string): HTMLElement | null
  onSubmit(
    submit: (values: Values) => Promise<void>,
    refuse: (errors: object) => void,
  ): SubmitEventHandler<HTMLFormElement>
}

interface Saved {
  id: number
  /** The message to show. */
  message: string
}

interface EntityDialogProps<Values> {
  opened: boolean
  noun: string
  isNew: boolean
  form: Form<Values>
  /** The values each time it opens. */
  valuesAtStart: () => Values
  save: (values: Values, before: Values) => Promise<Saved>
  /** Why saving failed, shown at the field it is about, else in the dialog. */
  failureOf: (error: unknown) => { text: string; field?: string | undefined }
  /** Asked before saving; false if what is said about emails has to be read first. */
  confirm?: () => Promise<boolean>
  /** Shown in place of a failure. */
  error?: string | undefined
  /** The page that the toast opens with what was saved; undefined on that page itself. */
  openIn: RecordPage | undefined
  /** The fields in which somebody else's change can differ from this one. */
  conflictFields: ConflictField<Values>[]
  /** The fields. */
  children: ReactNode
  onClose: () => void
}

/** Longer than for a toast without a button. */
const TOAST_MS = 6000

const NOT_SHOWN = 'Not saved yet. Check which emails will be sent, then save again.'
const CHANGED_MEANWHILE = 'Not saved yet, because you changed something while we were checking. Please save again.'

/** Adds a record, or edits one. */
export function EntityDialog<Values>(props: EntityDialogProps<Values>) {
  const { opened, noun, isNew, form, save, failureOf, openIn, conflictFields, children, onClose } = props
  const [failure, setFailure] = useState<string>()
  const { conflict, show: showConflict, forget: forgetConflict } = useConflict(form)
  const toastSaved = useToastSaved(openIn)
  useStart(props)

  const close = () => {
    setFailure(undefined)
    forgetConflict()
    onClose()
  }
  const succeed = (saved: Saved) => {
    toastSaved(saved)
    close()
  }
  const fail = (error: unknown) => {
    if (error instanceof EditConflict) return showConflict(error)
    const { field, text } = failureOf(error)
    if (!field) return setFailure(text)
    form.setFieldError(field, text)
    return form.getInputNode(field)?.focus()
  }
  const submit = form.onSubmit(
    async (values) => {
      if (!opened) return
      setFailure(undefined)
      const refusal = await refusalOf(props, values)
      if (refusal) return toastFailure(refusal)
      await save(values, form.getInitialValues()).then(succeed, fail)
    },
    (errors) => {
      setFailure(undefined)
      form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
    },
  )
  const title = `${isNew ? 'Add' : 'Edit'} ${noun}`
  return (
    <FormDialog
      opened={opened}
      title={title}
      submitLabel={isNew ? title : 'Save Changes'}
      busy={form.submitting}
      unsaved={form.isDirty()}
      error={props.error ?? failure}
      onSubmit={submit}
      onClose={close}
    >
      {children}
      {conflict && (
        <ConflictChoices
          conflict={conflict}
          fields={conflictFields}
          values={form.values}
          onChoose={(changes) => form.setValues(changes)}
        />
      )}
    </FormDialog>
  )
}

/** Why the values are not saved yet. */
async function refusalOf<Values>(
  { form, confirm }: Pick<EntityDialogProps<Values>, 'form' | 'confirm'>,
  values: Values,
): Promise<string | undefined> {
  const isConfirmed = !confirm || (await confirm())
  if (form.getValues() !== values) return CHANGED_MEANWHILE
  return isConfirmed ? undefined : NOT_SHOWN
}

/** What somebody else has changed as well, if a save has found that. */
function useConflict<Values>(form: Form<Values>) {
  const [conflict, setConflict] = useState<EditConflict<Values>>()
  return {
    conflict,
    show: (found: EditConflict<Values>) => {
      form.setInitialValues(found.theirs)
      form.setValues(found.merged)
      setConflict(found)
    },
    forget: () => setConflict(undefined),
  }
}

function useStart<Values>({ form, opened, valuesAtStart }: EntityDialogProps<Values>): void {
  const start = useEffectEvent(() => {
    form.clearErrors()
    form.setInitialValues(valuesAtStart())
    form.reset()
  })
  useEffect(() => {
    if (opened) start()
  }, [opened])
}

/** Says what was saved, with a button that opens its page. */
function useToastSaved(openIn: RecordPage | undefined) {
  const router = useRouter({ warn: false })
  return ({ id, message }: Saved) => {
    const action = openIn && { label: 'Open', onAct: () => void router.navigate({ to: openIn, params: { id } }) }
    showToast({ tone: 'success', text: message, ...(action && { durationMs: TOAST_MS, action }) })
  }
}
