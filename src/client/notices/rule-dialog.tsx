import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { NOTICE_UNITS } from '#shared/domain/notice-period.ts'
import { NOTICE_ANCHORS, NOTICE_CONTENTS, NOTICE_MEANS } from '#shared/domain/notice-window.ts'
import { MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { CONTENT_LABELS, MEANS_LABELS, type NoticeRule } from './notice-words.ts'
import { useRefreshRules } from './use-refresh-rules.ts'

interface RuleDialogProps {
  opened: boolean
  rule: NoticeRule | 'new' | undefined
  onClose: () => void
}

/** Adds a rule of one's own, or changes it. */
export function RuleDialog({ opened, rule, onClose }: RuleDialogProps) {
  if (!rule) return null
  const saved = rule === 'new' ? undefined : rule
  return <RuleForm key={`${saved?.id} ${opened}`} opened={opened} saved={saved} onClose={onClose} />
}

interface Draft extends Pick<NoticeRule, 'name' | 'unit' | 'countedFrom' | 'means' | 'contents' | 'exceptMonthly'> {
  from: string
  until: string
}

const NEW: Draft = {
  name: '',
  unit: 'days',
  from: '60',
  until: '30',
  countedFrom: 'renewal_date',
  means: ['email', 'letter'],
  contents: [...NOTICE_CONTENTS],
  exceptMonthly: false,
}

const ANCHORS = { renewal_date: 'the renewal date', last_day_for_notice: 'the last day for notice' }

function RuleForm({ opened, saved, onClose }: Omit<RuleDialogProps, 'rule'> & { saved: NoticeRule | undefined }) {
  const before = saved ? draftOf(saved) : NEW
  const [draft, setDraft] = useState(before)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const refresh = useRefreshRules()
  const result = {
    onSuccess: () => {
      toastSuccess('Notice rule saved')
      void refresh()
      onClose()
    },
    onError: (error: unknown) => setFailure(failureText(error, { failed: 'Failed to save the rule' })),
  }
  const make = trpc.noticeRules.make.useMutation(result)
  const change = trpc.noticeRules.change.useMutation(result)
  const submit = () => {
    const parsed = MakeNoticeRule.safeParse(draft)
    setFaults(Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message])))
    setFailure(undefined)
    if (!parsed.data) return
    if (saved) change.mutate({ ...parsed.data, id: saved.id })
    else make.mutate(parsed.data)
  }
  return (
    <FormDialog
      opened={opened}
      title={saved ? 'Change Notice Rule' : 'Add Notice Rule'}
      submitLabel="Save Rule"
      busy={make.isPending || change.isPending}
      unsaved={JSON.stringify(draft) !== JSON.stringify(before)}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      <Fields draft={draft} faults={faults} onDraft={(changes) => setDraft({ ...draft, ...changes })} />
    </FormDialog>
  )
}

function draftOf({ name, unit, from, until, countedFrom, means, contents, exceptMonthly }: NoticeRule): Draft {
  return { name, unit, from: String(from), until: String(until), countedFrom, means, contents, exceptMonthly }
}

interface FieldsProps {
  draft: Draft
  faults: Record<string, string>
  onDraft: (changes: Partial<Draft>) => void
}

function Fields({ draft, faults, onDraft }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        error={faults.name}
        onChange={({ currentTarget: { value } }) => onDraft({ name: value })}
      />
      <Window draft={draft} faults={faults} onDraft={onDraft} />
      <Choices
        label="How notice can be given"
        options={NOTICE_MEANS}
        labels={MEANS_LABELS}
        chosen={draft.means}
        error={faults.means}
        onChosen={(means) => onDraft({ means })}
      />
      <Choices
        label="What the notice has to say"
        options={NOTICE_CONTENTS}
        labels={CONTENT_LABELS}
        chosen={draft.contents}
        onChosen={(contents) => onDraft({ contents })}
      />
      <Checkbox
        label="Does not apply if the next term is a month or less"
        checked={draft.exceptMonthly}
        onChange={({ currentTarget: { checked } }) => onDraft({ exceptMonthly: checked })}
      />
    </>
  )
}

/** The first and the last day, and from what they are counted. */
function Window({ draft, faults, onDraft }: FieldsProps) {
  return (
    <Group align="flex-start" gap="sm">
      <TextInput
        label="From"
        w={90}
        inputMode="numeric"
        value={draft.from}
        error={faults.from}
        onChange={({ currentTarget: { value } }) => onDraft({ from: value })}
      />
      <TextInput
        label="Until"
        w={90}
        inputMode="numeric"
        value={draft.until}
        error={faults.until}
        onChange={({ currentTarget: { value } }) => onDraft({ until: value })}
      />
      <NativeSelect
        label="Days or months"
        data={[...NOTICE_UNITS]}
        value={draft.unit}
        onChange={({ currentTarget: { value } }) => onDraft({ unit: value === 'months' ? 'months' : 'days' })}
      />
      <NativeSelect
        label="Before"
        data={NOTICE_ANCHORS.map((value) => ({ value, label: ANCHORS[value] }))}
        value={draft.countedFrom}
        onChange={({ currentTarget: { value } }) =>
          onDraft({ countedFrom: NOTICE_ANCHORS.find((anchor) => anchor === value) ?? 'renewal_date' })
        }
      />
    </Group>
  )
}

interface ChoicesProps<Word extends string> {
  label: string
  options: readonly Word[]
  labels: Record<Word, string>
  chosen: readonly Word[]
  error?: string | undefined
  onChosen: (chosen: Word[]) => void
}

function Choices<Word extends string>({ label, options, labels, chosen, error, onChosen }: ChoicesProps<Word>) {
  return (
    <Checkbox.Group
      label={label}
      error={error}
      value={[...chosen]}
      onChange={(values) => onChosen(options.filter((option) => values.includes(option)))}
    >
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Checkbox key={option} value={option} label={labels[option]} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
