import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Radio, Stack, Text } from '@mantine/core'
import { EndReason } from '#client/renewals/end-reason.tsx'

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
      <EndReason reason={reason} note={note} onChange={onChange} />
    </>
  )
}
