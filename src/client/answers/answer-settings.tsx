import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { NativeSelect, Stack, Switch } from '@mantine/core'
import type { AnswerPreferences } from '#shared/domain/customer-answer.ts'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { DraftButtons } from '#client/forms/draft-buttons.tsx'
import { EditableFields } from '#client/forms/read-only.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { useDraft } from '#client/forms/use-draft.ts'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { DEADLINE_WORDS, LATE_WORDS, oneOfOptions, optionsOf, RENEWAL_WORDS } from './answer-options.ts'

const FAILURE = { failed: 'Failed to save settings', network: 'Failed to save settings' }

/** Whether and how customers answer reminders. */
export function AnswerSettingsForm() {
  const settings = trpc.answers.settings.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <>
      <QueryError query={settings} failed="Failed to load answer settings" />
      {settings.isPending && <Placeholder heights={[300]} />}
      {settings.data && <Form saved={settings.data} />}
    </>
  )
}

function Form({ saved }: { saved: AnswerPreferences }) {
  const utils = trpc.useUtils()
  const { draft, isChanged, change, reset, drop } = useDraft<AnswerPreferences>(saved)
  const save = trpc.answers.saveSettings.useMutation({
    onSuccess: async (answer) => {
      utils.answers.settings.setData(undefined, answer)
      drop(draft)
      toastSuccess('Answer settings saved')
      await utils.answers.contractSettings.invalidate()
    },
    onError: (error) => toastFailure(failureText(error, FAILURE)),
  })
  return (
    <form
      noValidate
      aria-label="Answer settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !save.isPending) save.mutate(draft)
      }}
    >
      <Stack gap="lg">
        <EditableFields>
          <Fields draft={draft} onChange={change} />
        </EditableFields>
        <UnsavedChanges isDirty={isChanged} />
        <DraftButtons label="Save Answer Settings" isChanged={isChanged} isSaving={save.isPending} onCancel={reset} />
      </Stack>
    </form>
  )
}

interface FieldsProps {
  draft: AnswerPreferences
  onChange: (changes: Partial<AnswerPreferences>) => void
}

function Fields({ draft, onChange }: FieldsProps) {
  return (
    <FormSection
      title="Answers"
      hint="Customers can answer a reminder with one click and no account: renew, ask for a change, or do not renew. You are told at once."
    >
      <Switch
        label="Include a link for answering in reminders"
        description="Without it, links in reminders that were sent before stop working."
        checked={draft.hasLink}
        onChange={({ currentTarget: { checked } }) => onChange({ hasLink: checked })}
      />
      <NativeSelect
        label="When a customer renews"
        maw={420}
        data={optionsOf(RENEWAL_WORDS)}
        value={draft.renewal}
        onChange={({ currentTarget: { value } }) =>
          onChange({ renewal: oneOfOptions(RENEWAL_WORDS, value) ?? draft.renewal })
        }
      />
      <NativeSelect
        label="Customers can answer"
        maw={420}
        data={optionsOf(DEADLINE_WORDS)}
        value={draft.deadline}
        onChange={({ currentTarget: { value } }) =>
          onChange({ deadline: oneOfOptions(DEADLINE_WORDS, value) ?? draft.deadline })
        }
      />
      <NativeSelect
        label={'A "do not renew" after the last day for notice'}
        description="Of contracts that renew automatically and have a notice period. Any other ends the contract on its renewal date."
        maw={420}
        data={optionsOf(LATE_WORDS)}
        value={draft.lateEnd}
        onChange={({ currentTarget: { value } }) =>
          onChange({ lateEnd: oneOfOptions(LATE_WORDS, value) ?? draft.lateEnd })
        }
      />
      <Switch
        label="Let customers read the contract's PDF on that page"
        description="They can open it once you have paid for your plan."
        checked={draft.showsPdf}
        onChange={({ currentTarget: { checked } }) => onChange({ showsPdf: checked })}
      />
    </FormSection>
  )
}
