import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { COMPANY_LENGTHS } from '#shared/schemas/company.ts'
import { failureText } from '#client/api/failure-text.ts'
import { failureOf, trpc, type Outputs } from '#client/api/trpc.ts'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { DraftButtons } from '#client/forms/draft-buttons.tsx'
import { EditableFields } from '#client/forms/read-only.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { useDraft } from '#client/forms/use-draft.ts'

export type Company = Outputs['company']['get']
type Draft = Record<'name' | 'replyTo' | 'postalAddress', string>

const FAILURE = { failed: 'Failed to save the company', network: 'Failed to save the company' }

interface CompanyFormProps {
  company: Company
  /** Another reply-to address was saved, which has to be confirmed. */
  onReplyTo: () => void
}

export function CompanyForm({ company, onReplyTo }: CompanyFormProps) {
  const utils = trpc.useUtils()
  const { draft, isChanged, changed, change, reset, drop } = useDraft(savedDraft(company), isSameText)
  const save = trpc.company.update.useMutation({
    onSuccess: (saved, sent) => {
      utils.company.get.setData(undefined, saved)
      void Promise.all([utils.reminders.invalidate(), utils.dashboard.invalidate()])
      toastSuccess('Company saved')
      if (sent.replyTo && !saved.isReplyToConfirmed) onReplyTo()
    },
    onError: (error) => {
      if (Object.keys(failureOf(error).fields).length === 0) toastFailure(failureText(error, FAILURE))
    },
  })
  const fields = save.error ? failureOf(save.error).fields : {}
  return (
    <form
      noValidate
      aria-label="Company"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !save.isPending) save.mutate(sentOf(changed), { onSuccess: () => drop(draft) })
      }}
    >
      <FormSection title="Your company" hint="Shown in every message that TRAXX sends to your customers.">
        <EditableFields>
          <Fields {...{ draft, change, fields, ownerEmail: company.ownerEmail }} />
        </EditableFields>
        <UnsavedChanges isDirty={isChanged} />
        <DraftButtons label="Save" isChanged={isChanged} isSaving={save.isPending} onCancel={reset} />
      </FormSection>
    </form>
  )
}

function savedDraft({ name, replyTo, postalAddress }: Company): Draft {
  return { name: name ?? '', replyTo: replyTo ?? '', postalAddress: postalAddress ?? '' }
}

function isSameText(one: string, other: string): boolean {
  return one.trim() === other.trim()
}

function sentOf({ name, replyTo, postalAddress }: Partial<Draft>) {
  return {
    ...(name !== undefined && { name }),
    ...(replyTo !== undefined && { replyTo: replyTo.trim() || null }),
    ...(postalAddress !== undefined && { postalAddress: postalAddress.trim() || null }),
  }
}

interface FieldsProps {
  draft: Draft
  change: (changes: Partial<Draft>) => void
  fields: Record<string, string>
  ownerEmail: string
}

function Fields({ draft, change, fields, ownerEmail }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Stack>
        <TextInput
          label="Company name"
          description="Shown as the sender of your messages"
          autoComplete="organization"
          maxLength={COMPANY_LENGTHS.name}
          value={draft.name}
          error={fields['name']}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <TextInput
          label="Reply-to address"
          description="Where replies go, once you confirm it with a code"
          type="email"
          placeholder={ownerEmail}
          maxLength={COMPANY_LENGTHS.replyTo}
          value={draft.replyTo}
          error={fields['replyTo']}
          onChange={({ currentTarget: { value } }) => change({ replyTo: value })}
        />
      </Stack>
      <Textarea
        label="Postal address"
        description="Optional. Shown at the end of each message"
        autoComplete="street-address"
        rows={4}
        maxLength={COMPANY_LENGTHS.postalAddress}
        value={draft.postalAddress}
        error={fields['postalAddress']}
        onChange={({ currentTarget: { value } }) => change({ postalAddress: value })}
      />
    </SimpleGrid>
  )
}
