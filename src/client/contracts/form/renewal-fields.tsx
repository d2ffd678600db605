import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { RENEWS, type Renews } from '#shared/domain/renews.ts'
import { RENEWS_LABELS } from '#client/text/contract-words.ts'

const HINTS: Record<Renews, string> = {
  by_agreement: 'Overdue after its renewal date until you renew or end it',
  automatic: 'A new term begins on the renewal date',
  never: 'Expires on the renewal date',
}

const KINDS = RENEWS.map((value) => ({ value, label: RENEWS_LABELS[value] }))
const HINT_BELOW = ['label', 'input', 'description', 'error'] as const

interface RenewalFieldsProps {
  renews: Renews
  inputProps: (name: 'renews' | 'noticePeriod' | 'title' | 'reference') => object
}

/** How a contract goes on after its renewal date, and what it is. */
export function RenewalFields({ renews, inputProps }: RenewalFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NativeSelect
        label="Renews"
        data={KINDS}
        description={HINTS[renews]}
        inputWrapperOrder={[...HINT_BELOW]}
        {...inputProps('renews')}
      />
      <TextInput
        label="Notice Period"
        placeholder="30 days or 3 months"
        description="How long before the renewal date it has to be ended"
        inputWrapperOrder={[...HINT_BELOW]}
        autoComplete="off"
        {...inputProps('noticePeriod')}
      />
      <TextInput label="Title" placeholder="What it is for" autoComplete="off" {...inputProps('title')} />
      <TextInput label="Reference" placeholder="Your own number" autoComplete="off" {...inputProps('reference')} />
    </SimpleGrid>
  )
}
