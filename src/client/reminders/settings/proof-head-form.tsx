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
      title="Proof of emails"
      hint="Every email to a customer is recorded in a signed chain. Whoever has its last hash can show that nothing was changed before it."
    >
      <EditableFields>
        <Switch
          label="Email me the last hash once a week"
          checked={weekly ?? true}
          disabled={found.data === undefined}
          onChange={({ currentTarget: { checked } }) => save.mutate({ weekly: checked })}
        />
      </EditableFields>
      {head && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Record {head.number}: {head.hash}
        </Text>
      )}
      <QueryError query={found} failed="Failed to fetch settings" />
    </FormSection>
  )
}
