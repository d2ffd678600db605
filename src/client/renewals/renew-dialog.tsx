import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { NativeSelect, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import { nextRenewal, RENEWAL_CYCLES, type RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { CYCLE_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { renewalAmountError } from './amount-error.ts'
import { AmountField } from './amount-field.tsx'
import { ConfirmationPart } from './confirmation-part.tsx'
import { useContractActs, type Contract } from './use-contract-acts.ts'
import { useAnyPendingAct } from './use-pending-acts.ts'

interface RenewDialogProps {
  opened: boolean
  contract: Contract | undefined
  onClose: () => void
}

/** Renews a contract with another amount, cycle or date, and asks about an overdue one when the new term begins. */
export function RenewDialog({ opened, contract, onClose }: RenewDialogProps) {
  if (!contract) return null
  return <RenewForm key={`${contract.id} ${contract.version}`} opened={opened} contract={contract} onClose={onClose} />
}

const CYCLES = RENEWAL_CYCLES.map((value) => ({ value, label: CYCLE_LABELS[value] }))
const FAILURE = { failed: 'Failed to renew contract', network: 'Network error' }

interface Values {
  from: 'term' | 'today'
  amount: string
  renewalCycle: RenewalCycle
  /** Empty while the suggested one is right. */
  renewalDate: string
  /** Whether the customer is told; as the settings say unless it was switched. */
  confirm?: boolean
}

function RenewForm({ opened, contract, onClose }: RenewDialogProps & { contract: Contract }) {
  const today = useAccountToday()()
  const { renew, isActing } = useContractActs()
  const isAnyPending = useAnyPendingAct()
  const [start] = useState(() => valuesOf(contract))
  const [values, setValues] = useState(start)
  const [failure, setFailure] = useState<string>()
  const change = (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes }))
  const { termStart, suggested } = nextTerm(contract, values, today)
  const renewalDate = values.renewalDate || suggested
  const amount = readTypedAmount(values.amount)
  const amountError = renewalAmountError(values.amount)
  const dateError = isDay(renewalDate) && renewalDate > termStart ? undefined : `Must be after ${formatDay(termStart)}`
  const settings = trpc.contracts.renewalSettings.useQuery()
  const confirm = values.confirm ?? settings.data?.confirmRenewals ?? false
  const { id, term } = contract
  const isWrong = amountError !== undefined || dateError !== undefined || typeof amount !== 'number'
  const renewal = isWrong
    ? undefined
    : { id, term, amount, renewalCycle: values.renewalCycle, from: values.from, renewalDate }
  const submit = () => {
    if (isActing(id) || !renewal) return
    setFailure(undefined)
    renew.mutate(
      { ...renewal, confirm },
      { onSuccess: onClose, onError: (error) => setFailure(failureText(error, FAILURE)) },
    )
  }
  return (
    <FormDialog
      opened={opened}
      title="Renew Contract"
      submitLabel="Renew"
      busy={renew.isPending || settings.isPending}
      waits={isAnyPending(id)}
      unsaved={JSON.stringify(values) !== JSON.stringify(start)}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      {contract.renewalDate < today && (
        <Beginning contract={contract} today={today} from={values.from} onChange={change} />
      )}
      <NextTermFields
        values={{ ...values, renewalDate }}
        errors={{ amount: amountError, date: dateError }}
        onChange={change}
      />
      <Text size="sm" role="status">
        {amountError === undefined && summaryOf(contract, { termStart, renewalDate, amount })}
      </Text>
      <ConfirmationPart checked={confirm} onChange={(to) => change({ confirm: to })} renewal={renewal} />
    </FormDialog>
  )
}

interface BeginningProps {
  contract: Contract
  today: Day
  from: Values['from']
  onChange: (changes: Partial<Values>) => void
}

/** When the new term of an overdue contract begins. */
function Beginning({ contract: { renewalDate }, today, from, onChange }: BeginningProps) {
  return (
    <Radio.Group
      label={`The term ended on ${formatDay(renewalDate)}. When does the new one begin?`}
      value={from}
      onChange={(value) => onChange({ from: value === 'today' ? 'today' : 'term', renewalDate: '' })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="term" label={`On ${formatDay(renewalDate)}, so that no day is missing`} />
        <Radio value="today" label={`Today, ${formatDay(today)}`} />
      </Stack>
    </Radio.Group>
  )
}

interface NextTermFieldsProps {
  values: Values
  errors: { amount: string | undefined; date: string | undefined }
  onChange: (changes: Partial<Values>) => void
}

function NextTermFields({ values, errors, onChange }: NextTermFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <AmountField value={values.amount} error={errors.amount} onChange={(amount) => onChange({ amount })} />
      <NativeSelect
        label="Renewal Cycle"
        data={CYCLES}
        value={values.renewalCycle}
        onChange={({ currentTarget: { value } }) => {
          const renewalCycle = RENEWAL_CYCLES.find((cycle) => cycle === value)
          if (renewalCycle) onChange({ renewalCycle, renewalDate: '' })
        }}
      />
      <TextInput
        label="Renewal Date"
        type="date"
        required
        max="2999-12-31"
        value={values.renewalDate}
        error={errors.date}
        onChange={({ currentTarget: { value } }) => onChange({ renewalDate: value })}
      />
    </SimpleGrid>
  )
}

function valuesOf({ nextAmount, amount, nextCycle, renewalCycle }: Contract): Values {
  const text = formatMoney(nextAmount ?? amount).slice(1)
  return { from: 'term', amount: text, renewalCycle: nextCycle ?? renewalCycle, renewalDate: '' }
}

/** When the next term begins, and when it would end by its cycle; empty beyond the calendar. */
function nextTerm(contract: Contract, { from, renewalCycle }: Values, today: Day) {
  const isFromToday = from === 'today' && contract.renewalDate < today
  const termStart = isFromToday ? today : contract.renewalDate
  const startDate = isFromToday ? today : contract.anchorDate
  if (termStart > '2998-12-31') return { termStart, suggested: '' }
  return { termStart, suggested: nextRenewal({ startDate, renewalDate: termStart, renewalCycle }) }
}

interface NextTerm {
  termStart: Day
  renewalDate: string
  amount: ReturnType<typeof readTypedAmount>
}

function summaryOf(contract: Contract, { termStart, renewalDate, amount }: NextTerm): string {
  if (!isDay(renewalDate) || typeof amount !== 'number') return ''
  const before = contract.amount === amount ? '' : `, previously ${formatMoney(contract.amount)}`
  return `Term ${contract.term + 1} runs from ${formatDay(termStart)} until it renews on ${formatDay(renewalDate)}, for ${formatMoney(amount)}${before}.`
}
