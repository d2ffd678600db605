import { Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { readTypedAmount } from '#shared/domain/amount-text.ts'
import type { BulkAction } from '#shared/domain/bulk-change.ts'
import type { PriceChange } from '#shared/domain/price-change.ts'
import { failureText } from '#client/api/failure-text.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Inputs, type Outputs } from '#client/api/trpc.ts'
import { noticesTodayText, unknownMailText } from '#client/mail/mail-text.ts'
import { useShownFirst } from '#client/mail/use-shown-first.ts'
import { tagsIn } from '#client/tags/tags-text.ts'
import { counted } from '#client/text/counted.ts'
import { formatCount, formatMoney } from '#client/text/format.ts'
import { unclearAmount } from '#client/text/unclear-amount.ts'
import { FormDialog } from '#client/ui/dialogs/form-dialog.tsx'
import { EndFields } from './end-fields.tsx'
import { PriceFields } from './price-fields.tsx'
import { RenewFields } from './renew-fields.tsx'
import { TagFields } from './tag-fields.tsx'
import { contractCount, leftOutText, type Bulk } from './bulk-words.ts'

type Change = Inputs['bulk']['start']

interface BulkDialogProps {
  opened: boolean
  action: BulkAction
  contracts: Change['contracts']
  onStarted: (bulk: Bulk) => void
  onClose: () => void
}

/** Asks how many contracts are to be changed, and says beforehand what that does to them. */
export function BulkDialog(props: BulkDialogProps) {
  return <BulkForm key={`${props.action} ${props.opened}`} {...props} />
}

interface Values {
  from: 'term' | 'today'
  /** Whether customers are told of renewals; as the settings say unless it was switched. */
  confirm?: boolean
  on: 'renewal_date' | 'today'
  reason: string
  note: string
  by: PriceChange['by']
  value: string
  roundTo: string
  add: string
  remove: string
}

const START: Values = {
  from: 'term',
  on: 'renewal_date',
  reason: '',
  note: '',
  by: 'percent',
  value: '',
  roundTo: '0.01',
  add: '',
  remove: '',
}
const TITLES: Record<BulkAction, string> = {
  renew: 'Renew Contracts',
  end: 'End Contracts',
  change_price: 'Change Prices',
  delete: 'Delete Contracts',
  tag: 'Tag Contracts',
  remind: 'Send Reminders',
}
/** Those whose preview counts emails. */
const MAY_SEND: readonly BulkAction[] = ['renew', 'tag', 'remind']
const noneText = (action: BulkAction) =>
  action === 'remind' ? 'No reminder can be sent' : 'No contract can be changed'
const NOT_STARTED = 'Not started yet. Check which emails will be sent, then try again.'
const FAILURE = { failed: 'Failed to change contracts', network: 'Network error' }

function BulkForm({ opened, action, contracts, onStarted, onClose }: BulkDialogProps) {
  const [values, setValues] = useState(START)
  const [failure, setFailure] = useState<string>()
  const change = (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes }))
  const settings = trpc.contracts.renewalSettings.useQuery(undefined, { enabled: opened && action === 'renew' })
  const confirm = values.confirm ?? settings.data?.confirmRenewals ?? false
  const fault = faultOf(action, values)
  const input = inputOf(action, { ...values, confirm }, contracts)
  const previewed = { ...input, reason: undefined, note: null, preview: true } as const
  const preview = trpc.bulk.preview.useQuery(previewed, {
    enabled: opened && !fault.value,
    placeholderData: keepPreviousData,
  })
  const key = opened && MAY_SEND.includes(action) ? JSON.stringify(previewed) : undefined
  const { isUnknown, confirmShown } = useShownFirst(preview, { key, isNone: sendsNothing })
  const [isAsking, setIsAsking] = useState(false)
  const start = trpc.bulk.start.useMutation({
    onSuccess: onStarted,
    onError: (error) => setFailure(failureText(error, FAILURE)),
  })
  const isNothing = preview.data?.count === 0 && !preview.isPlaceholderData
  const submit = async () => {
    if (!opened) return
    const problem = fault.value ?? fault.reason ?? (isNothing ? noneText(action) : undefined)
    setFailure(problem)
    if (problem) return
    setIsAsking(true)
    const isShown = await confirmShown()
    setIsAsking(false)
    if (isShown) start.mutate(input)
    else setFailure(NOT_STARTED)
  }
  return (
    <FormDialog
      opened={opened}
      title={TITLES[action]}
      submitLabel={TITLES[action]}
      busy={isAsking || start.isPending}
      unsaved={JSON.stringify(values) !== JSON.stringify(START)}
      error={failure}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onClose={onClose}
    >
      {action === 'renew' && <RenewFields values={{ ...values, confirm }} onChange={change} />}
      {action === 'end' && <EndFields values={values} onChange={change} />}
      {action === 'change_price' && <PriceFields values={values} onChange={change} />}
      {action === 'tag' && <TagFields values={values} onChange={change} />}
      <QueryError query={preview} failed="Failed to look at the contracts" />
      <Stack gap={4} role="status" mih={48}>
        {isUnknown && <Text size="sm">{unknownMailText('customers')}</Text>}
        {preview.data && !fault.value && !isUnknown && <Preview action={action} preview={preview.data} />}
      </Stack>
    </FormDialog>
  )
}

function inputOf(action: BulkAction, values: Values & { confirm: boolean }, contracts: Change['contracts']): Change {
  if (action === 'renew') return { action, contracts, from: values.from, confirm: values.confirm }
  if (action === 'delete' || action === 'remind') return { action, contracts }
  if (action === 'end') {
    const { on, reason, note } = values
    return { action, contracts, on, reason: reason || undefined, note: note.trim() || null }
  }
  if (action === 'tag') return { action, contracts, add: tagsIn(values.add), remove: tagsIn(values.remove) }
  const value = numberOf(values.value) ?? 0
  return { action, contracts, price: { by: values.by, value, roundTo: Number(values.roundTo) } }
}

/** What is missing: a value makes the preview impossible. */
function faultOf(action: BulkAction, { by, value, reason, add, remove }: Values): { value?: string; reason?: string } {
  if (action === 'end') return reason === '' ? { reason: 'Choose a reason' } : {}
  if (action === 'renew' || action === 'delete' || action === 'remind') return {}
  if (action === 'tag') return add || remove ? {} : { value: 'Enter tags to add or to remove' }
  const number = numberOf(value)
  if (number === undefined) return { value: unclearValue(by, value) ?? 'Enter a number with at most two decimals' }
  return by === 'to' && number <= 0 ? { value: 'Amount must be a positive number' } : {}
}

/** The sign and the rest without a percent sign. */
function partsOf(text: string) {
  const [, sign = '', size = ''] = /^\s*([-−+]?)\s*(.*?)\s*%?\s*$/.exec(text) ?? []
  return { sign, size }
}

function unclearValue(by: Values['by'], text: string): string | undefined {
  const { size } = partsOf(text)
  return by === 'percent' ? unclearAmount(size, (percent) => `${formatCount(percent)}%`) : unclearAmount(size)
}

/** As typed, with either decimal mark; a minus sign lowers. */
function numberOf(text: string): number | undefined {
  const { sign, size } = partsOf(text)
  const number = readTypedAmount(size)
  if (typeof number !== 'number') return undefined
  return sign === '' || sign === '+' ? number : -number
}

const WILL: Record<BulkAction, (contracts: string) => string> = {
  renew: (contracts) => `${contracts} will be renewed`,
  end: (contracts) => `${contracts} will end`,
  change_price: (contracts) => `The next price of ${contracts} will change`,
  delete: (contracts) => `${contracts} will be moved to the trash for 30 days`,
  tag: (contracts) => `The tags of ${contracts} will change`,
  remind: (contracts) => `Reminders will be sent about ${contracts}`,
}

function Preview({ action, preview }: { action: BulkAction; preview: Outputs['bulk']['preview'] }) {
  const { count, amount, amountBefore, leftOut } = preview
  const today = emailsTodayText(action, preview)
  const money =
    action === 'end' || amount === amountBefore
      ? formatMoney(amountBefore)
      : `${formatMoney(amount)}, now ${formatMoney(amountBefore)}`
  return (
    <>
      <Text size="sm" fw={600}>
        {count === 0 ? `${noneText(action)}.` : `${WILL[action](contractCount(count))}: ${money} in all.`}
      </Text>
      {count > 0 && preview.emails !== undefined && <Text size="sm">{mailText(action, preview)}</Text>}
      {today && <Text size="sm">{today}</Text>}
      {preview.waiting ? <Text size="sm">{waitingText(preview.waiting)}</Text> : null}
      {leftOut.length > 0 && <Text size="sm">{`Left out: ${leftOutText(leftOut)}.`}</Text>}
    </>
  )
}

function mailText(action: BulkAction, { emails = 0, customers = 0 }: Outputs['bulk']['preview']): string {
  const sent = `${counted(emails, 'emails')} to ${counted(customers, 'customers')}.`
  if (action === 'remind') return `${sent} This cannot be undone.`
  return emails === 0 ? 'None of the customers will be told.' : sent
}

function sendsNothing({ emails = 0, emailsToday = 0, isAll }: Outputs['bulk']['preview']): boolean {
  return emails + emailsToday === 0 && isAll !== false
}

/** Empty if none go out. */
function emailsTodayText(action: BulkAction, preview: Outputs['bulk']['preview']): string {
  const { emails = 0, emailsToday = 0, isAll } = preview
  if (action === 'tag') return noticesTodayText({ notices: emailsToday, isAll: isAll !== false })
  if (emailsToday === 0) return ''
  const also = emails > 0 ? 'also ' : ''
  return `${counted(emailsToday, 'emails')} to customers about the new renewal dates will ${also}go out today.`
}

function waitingText(waiting: number): string {
  return `${formatCount(waiting)} of these emails will wait for another day because of today's limit.`
}
