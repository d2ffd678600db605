import { Group, Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState, type ReactNode } from 'react'
import { blocksOf, DEFAULT_TEXTS, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { TEXT_LENGTHS } from '#shared/schemas/reminder-texts.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { DraftButtons } from '#client/forms/draft-buttons.tsx'
import { ChangeButton, EditableFields } from '#client/forms/read-only.tsx'
import { isDefault, previewInput, wrongFields, type TextDrafts } from './text-drafts.ts'
import { TextPreview } from './text-preview.tsx'
import { VariableChips } from './variable-chips.tsx'

/** Delays errors while a variable is being typed. */
const PAUSE_MS = 500

interface TextEditorProps {
  kind: TextKind
  drafts: TextDrafts
  /** Whose contract the preview and test use; null to let the server choose. */
  customerId: number | null
  picker: ReactNode
}

/** One template with its variables and preview. */
export function TextEditor({ picker, ...props }: TextEditorProps) {
  const { kind, drafts, customerId } = props
  const draft = drafts.draft[kind]
  const [settled] = useDebouncedValue(draft, PAUSE_MS)
  const wrong = wrongFields(kind, settled)
  const isWrong = Object.keys(wrong).length > 0
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Paper withBorder p="lg">
        <EditableFields>
          <Fields
            kind={kind}
            draft={draft}
            wrong={wrong}
            onChange={({ subject = draft.subject, body = draft.body }) => drafts.change({ [kind]: { subject, body } })}
          />
        </EditableFields>
        <Actions {...props} />
      </Paper>
      <TextPreview kind={kind} text={isWrong ? undefined : settled} customerId={customerId} picker={picker} />
    </SimpleGrid>
  )
}

interface FieldsProps {
  kind: TextKind
  draft: ReminderText
  wrong: Partial<Record<string, string>>
  onChange: (changes: Partial<ReminderText>) => void
}

function Fields({ kind, draft, wrong, onChange }: FieldsProps) {
  const subject = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  const [isInSubject, setIsInSubject] = useState(false)
  const insert = (variable: string) => {
    const isBlock = blocksOf(kind).some((block) => block === variable)
    const inSubject = isInSubject && !isBlock
    const field = inSubject ? subject.current : body.current
    if (!field) return
    const { selectionStart: start, selectionEnd: end } = field
    field.setRangeText(isBlock ? `\n\n{{${variable}}}\n\n` : `{{${variable}}}`, start ?? 0, end ?? 0, 'end')
    onChange(inSubject ? { subject: field.value } : { body: field.value })
    field.focus()
  }
  return (
    <Stack>
      <TextInput
        ref={subject}
        label="Subject"
        required
        maxLength={TEXT_LENGTHS.subject}
        value={draft.subject}
        error={wrong['subject']}
        onFocus={() => setIsInSubject(true)}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <Textarea
        ref={body}
        label="Message"
        description="Leave a blank line to start a new paragraph."
        required
        rows={14}
        maxLength={TEXT_LENGTHS.body}
        value={draft.body}
        error={wrong['body']}
        onFocus={() => setIsInSubject(false)}
        onChange={(event) => onChange({ body: event.currentTarget.value })}
      />
      <VariableChips kind={kind} onInsert={insert} />
    </Stack>
  )
}

function Actions({ kind, drafts, customerId }: Omit<TextEditorProps, 'picker'>) {
  const utils = trpc.useUtils()
  const { subject, body } = drafts.draft[kind]
  const isChanged = kind in drafts.changed
  const handlers = (failed: string) => ({ onError: (error: unknown) => toastFailure(failureText(error, { failed })) })
  const save = trpc.reminders.saveText.useMutation({
    ...handlers('Failed to save the template'),
    onSuccess: (saved, sent) => {
      utils.reminders.texts.setData(undefined, saved)
      drafts.drop({ [kind]: sent })
      toastSuccess('Template saved successfully!')
    },
  })
  const test = trpc.reminders.sendTestText.useMutation({
    ...handlers('Failed to send the test'),
    onSuccess: ({ message }) => toastSuccess(message),
  })
  return (
    <Group justify="space-between" mt="lg">
      <Group gap="sm">
        <ChangeButton
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate(previewInput(kind, { subject, body }, customerId))}
        >
          Send Me a Test
        </ChangeButton>
        {!isDefault(kind, { subject, body }) && (
          <ChangeButton variant="subtle" onClick={() => drafts.change({ [kind]: DEFAULT_TEXTS[kind] })}>
            Use the Default
          </ChangeButton>
        )}
      </Group>
      <DraftButtons
        label="Save Template"
        isChanged={isChanged}
        isSaving={save.isPending}
        onCancel={() => drafts.drop({ [kind]: { subject, body } })}
        onSave={() => save.mutate({ kind, subject, body })}
      />
    </Group>
  )
}
