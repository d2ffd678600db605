import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Radio, Stack, Switch } from '@mantine/core'

interface Renewing {
  from: 'term' | 'today'
  confirm: boolean
}

interface RenewFieldsProps {
  values: Renewing
  onChange: (changes: Partial<Renewing>) => void
}

/** When the next terms begin, and whether the customers are told. */
export function RenewFields({ values: { from, confirm }, onChange }: RenewFieldsProps) {
  return (
    <>
      <Radio.Group
        label="When do the next terms of overdue contracts begin?"
        value={from}
        onChange={(value) => onChange({ from: value === 'today' ? 'today' : 'term' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="term" label="On their renewal dates, following on from the old terms" />
          <Radio value="today" label="Today" />
        </Stack>
      </Radio.Group>
      <Switch
        label="Tell the customers"
        description="By email, 10 seconds after their contracts are renewed. Emails that have gone out cannot be undone."
        checked={confirm}
        onChange={({ currentTarget: { checked } }) => onChange({ confirm: checked })}
      />
    </>
  )
}
