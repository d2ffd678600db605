import { Switch, Text } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { EditableFields } from '#client/forms/read-only.tsx'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'

/** The head of the account's chain of proofs, and whether it is mailed each week. */
export function ProofHeadForm() {
  const utils = trpc.useUtils()
  const found = trpc.reminders.proofHead.useQuery()
  const save = trpc.reminders.saveProofHead.useMutation({
    onSuccess: (answer) => utils.reminders.proofHead.setData(undefined, answer),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to save settings' })),
  })
  const weekly = save.isPending ? save.variables.weekly : found.data?.weekly
  const head = found.data?.head
  return (
    <FormSection
      title="Proof of Emails and Answers"
      hint="Emails to customers and their answers are recorded so that no record can be changed later unnoticed, not even by us. Keep the latest code: it proves every record up to it."
    >
      <EditableFields>
        <Switch
          label="Email me the latest code once a week"
          checked={weekly ?? true}
          disabled={found.data === undefined}
          onChange={({ currentTarget: { checked } }) => save.mutate({ weekly: checked })}
        />
      </EditableFields>
      {head && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Latest code (record {head.number}): {head.hash}
        </Text>
      )}
      <QueryError query={found} failed="Failed to fetch settings" />
    </FormSection>
  )
}
