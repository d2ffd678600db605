import { NativeSelect, Textarea } from '@mantine/core'
import { LONGEST_NOTE } from '#shared/schemas/renewals.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'

interface EndReasonProps {
  reason: string
  note: string
  onChange: (changes: { reason?: string; note?: string }) => void
}

/** Why contracts end: one of the account's reasons, and a note. */
export function EndReason({ reason, note, onChange }: EndReasonProps) {
  const settings = trpc.contracts.renewalSettings.useQuery()
  return (
    <>
      <QueryError query={settings} failed="Failed to fetch the reasons" />
      <NativeSelect
        label="Reason"
        required
        data={[{ value: '', label: 'Choose a reason' }, ...(settings.data?.endReasons ?? [])]}
        value={reason}
        onChange={({ currentTarget: { value } }) => onChange({ reason: value })}
      />
      <Textarea
        label="Note"
        placeholder="What you would like to remember"
        rows={3}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={({ currentTarget: { value } }) => onChange({ note: value })}
      />
    </>
  )
}
