import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { NativeSelect, Radio, Stack, Text, Textarea } from '@mantine/core'
import { LONGEST_NOTE } from '#shared/schemas/renewals.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'

interface Ending {
  on: 'renewal_date' | 'today'
  reason: string
  note: string
}

interface EndFieldsProps {
  values: Ending
  onChange: (changes: Partial<Ending>) => void
}

/** When contracts end, and why. */
export function EndFields({ values: { on, reason, note }, onChange }: EndFieldsProps) {
  const settings = trpc.contracts.renewalSettings.useQuery()
  return (
    <>
      <Text size="sm">Planned messages to these customers about their renewals will not be sent.</Text>
      <Radio.Group
        label="When do they end?"
        value={on}
        onChange={(value) => onChange({ on: value === 'today' ? 'today' : 'renewal_date' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="renewal_date" label="On their renewal dates. Those that are overdue end today" />
          <Radio value="today" label="Today" />
        </Stack>
      </Radio.Group>
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
