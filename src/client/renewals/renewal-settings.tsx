import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { NativeSelect, Stack, Switch, Textarea } from '@mantine/core'
import { RenewalSettings } from '#shared/schemas/renewals.ts'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { DraftButtons } from '#client/forms/draft-buttons.tsx'
import { EditableFields } from '#client/forms/read-only.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { useDraft } from '#client/forms/use-draft.ts'
import { days } from '#client/text/contract-words.ts'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { ComingConfirmations } from './coming-confirmations.tsx'

const FAILURE = { failed: 'Failed to save settings', network: 'Failed to save settings' }
const OFFERED = [7, 14, 30, 60, 90]

/** Whether customers are told of renewals, what happens to overdue contracts by itself, and why contracts end. */
export function RenewalSettingsForm() {
  const settings = trpc.contracts.renewalSettings.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <>
      <QueryError query={settings} failed="Failed to load renewal settings" />
      {settings.isPending && <Placeholder heights={[260]} />}
      {settings.data && <Form saved={settings.data} />}
    </>
  )
}

interface Draft {
  confirmRenewals: boolean
  endOverdueAfterDays: number | null
  /** One on each line. */
  reasons: string
}

function Form({ saved }: { saved: RenewalSettings }) {
  const utils = trpc.useUtils()
  const { confirmRenewals, endOverdueAfterDays, endReasons } = saved
  const { draft, isChanged, change, reset, drop } = useDraft<Draft>({
    confirmRenewals,
    endOverdueAfterDays,
    reasons: endReasons.join('\n'),
  })
  const save = trpc.contracts.saveRenewalSettings.useMutation({
    onSuccess: (answer) => {
      utils.contracts.renewalSettings.setData(undefined, answer)
      drop(draft)
      toastSuccess('Renewal settings saved')
    },
    onError: (error) => toastFailure(failureText(error, FAILURE)),
  })
  const sent = settingsOf(draft)
  const problem = RenewalSettings.safeParse(sent).error?.issues[0]?.message
  return (
    <form
      noValidate
      aria-label="Renewal settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !problem && !save.isPending) save.mutate(sent)
      }}
    >
      <Stack gap="lg">
        <EditableFields>
          <RenewalFields draft={draft} saved={saved} problem={isChanged ? problem : undefined} onChange={change} />
        </EditableFields>
        <UnsavedChanges isDirty={isChanged} />
        <DraftButtons label="Save Renewal Settings" isChanged={isChanged} isSaving={save.isPending} onCancel={reset} />
        {/* Below the buttons, which would move. */}
        {draft.confirmRenewals !== confirmRenewals && <ComingConfirmations isTurnedOn={draft.confirmRenewals} />}
      </Stack>
    </form>
  )
}

interface RenewalFieldsProps {
  draft: Draft
  saved: RenewalSettings
  /** What is wrong with the reasons. */
  problem: string | undefined
  onChange: (changes: Partial<Draft>) => void
}

function RenewalFields({ draft, saved, problem, onChange }: RenewalFieldsProps) {
  const options = [...new Set([...OFFERED, saved.endOverdueAfterDays ?? 7])].toSorted((one, other) => one - other)
  return (
    <FormSection
      title="Renewals"
      hint="Whether customers are told, what happens if nobody decides, and why contracts end."
    >
      <Switch
        label="Tell customers when their contracts are renewed"
        description="By email, in the words of your template. When you renew a contract yourself, you see the email first and can turn it off."
        checked={draft.confirmRenewals}
        onChange={({ currentTarget: { checked } }) => onChange({ confirmRenewals: checked })}
      />
      <NativeSelect
        label="Overdue contracts that renew by agreement"
        maw={360}
        data={[
          { value: '', label: 'Stay open until you decide' },
          ...options.map((count) => ({ value: String(count), label: `End after ${days(count)}` })),
        ]}
        value={String(draft.endOverdueAfterDays ?? '')}
        onChange={({ currentTarget: { value } }) =>
          onChange({ endOverdueAfterDays: value === '' ? null : Number(value) })
        }
      />
      <Textarea
        label="Reasons for ending a contract"
        description="One on each line"
        maw={360}
        rows={8}
        value={draft.reasons}
        error={problem}
        onChange={({ currentTarget: { value } }) => onChange({ reasons: value })}
      />
    </FormSection>
  )
}

function settingsOf({ confirmRenewals, endOverdueAfterDays, reasons }: Draft): RenewalSettings {
  const endReasons = reasons
    .split('\n')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '')
  return { confirmRenewals, endOverdueAfterDays, endReasons }
}
