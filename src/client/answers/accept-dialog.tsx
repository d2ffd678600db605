import { SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import { isDay, toDay } from '#shared/domain/day.ts'
import { LONGEST_NOTE } from '#shared/schemas/renewals.ts'
import { renewalAmountError } from '#client/renewals/amount-error.ts'
import { AmountField } from '#client/renewals/amount-field.tsx'
import { formatDay, formatMoney } from '#client/text/format.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { answerTitle, type Answer } from './answer-words.ts'
import { useAnswerActs } from './use-answer-acts.ts'

interface AcceptDialogProps {
  opened: boolean
  answer: Answer | undefined
  onClose: () => void
}

/** Accepts an answer: renews the contract, as the customer wished or otherwise, or ends it. */
export function AcceptDialog({ opened, answer, onClose }: AcceptDialogProps) {
  if (!answer) return null
  return <AcceptForm key={answer.id} opened={opened} answer={answer} onClose={onClose} />
}

function AcceptForm({ opened, answer, onClose }: AcceptDialogProps & { answer: Answer }) {
  const { accept, failureOf } = useAnswerActs()
  const isEnd = answer.choice === 'end'
  const [start] = useState(() => valuesOf(answer))
  const [values, setValues] = useState(start)
  const [failure, setFailure] = useState<string>()
  const change = (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes }))
  const amount = readTypedAmount(values.amount)
  const amountError = isEnd ? undefined : renewalAmountError(values.amount)
  const { renewalDate } = values
  const dateError =
    isDay(renewalDate) && renewalDate <= answer.renewalDate
      ? `Must be after ${formatDay(answer.renewalDate)}`
      : undefined
  const submit = () => {
    if (accept.isPending || amountError !== undefined || dateError !== undefined) return
    setFailure(undefined)
    accept.mutate(
      {
        id: answer.id,
        reply: values.reply.trim() || null,
        ...(!isEnd && typeof amount === 'number' && { amount }),
        ...(!isEnd && isDay(renewalDate) && { renewalDate: toDay(renewalDate) }),
      },
      { onSuccess: onClose, onError: (error) => setFailure(failureOf('accept', error)) },
    )
  }
  return (
    <FormDialog
      opened={opened}
      title={isEnd ? 'Accept and End' : 'Accept and Renew'}
      submitLabel={isEnd ? 'End Contract' : 'Renew'}
      busy={accept.isPending}
      unsaved={JSON.stringify(values) !== JSON.stringify(start)}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onClose={onClose}
    >
      <Text size="sm">{consequence(answer)}</Text>
      {!isEnd && <NextTermFields values={values} errors={{ amount: amountError, date: dateError }} onChange={change} />}
      <Textarea
        label="Message to the Customer"
        description="Optional. Added to the email that the customer gets."
        rows={3}
        maxLength={LONGEST_NOTE}
        value={values.reply}
        onChange={({ currentTarget: { value } }) => change({ reply: value })}
      />
    </FormDialog>
  )
}

interface Values {
  amount: string
  /** Empty: by its cycle. */
  renewalDate: string
  reply: string
}

function valuesOf({ wishedAmount, nextAmount, wishedDate }: Answer): Values {
  return { amount: formatMoney(wishedAmount ?? nextAmount).slice(1), renewalDate: wishedDate ?? '', reply: '' }
}

interface NextTermFieldsProps {
  values: Values
  errors: { amount: string | undefined; date: string | undefined }
  onChange: (changes: Partial<Values>) => void
}

function NextTermFields({ values, errors, onChange }: NextTermFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <AmountField value={values.amount} error={errors.amount} onChange={(amount) => onChange({ amount })} />
      <TextInput
        label="Next Renewal Date"
        description="Leave blank to follow the renewal cycle"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="date"
        max="2999-12-31"
        value={values.renewalDate}
        error={errors.date}
        onChange={({ currentTarget: { value } }) => onChange({ renewalDate: value })}
      />
    </SimpleGrid>
  )
}

function consequence(answer: Answer): string {
  const what = answerTitle(answer)
  return answer.choice === 'end'
    ? `${what} ends on ${formatDay(answer.renewalDate)}, or today if that has passed. The customer gets an email about it.`
    : `${what} is renewed from ${formatDay(answer.renewalDate)}. The customer gets an email about it.`
}
