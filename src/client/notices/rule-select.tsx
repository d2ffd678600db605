import { NativeSelect } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'
import type { ChooseNoticeRule, NoticeChoice } from '#shared/schemas/notice-rules.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyReason } from '#client/api/use-read-only.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import type { NoticeRule } from './notice-words.ts'
import { useRefreshRules } from './use-refresh-rules.ts'

interface RuleSelectProps {
  label: string
  description?: string
  rules: readonly NoticeRule[]
  /** For what it is chosen; nothing: all contracts of the account. */
  target: Pick<ChooseNoticeRule, 'contractId' | 'customerId' | 'tag'>
  own: NoticeChoice
  /** What "inherited" means here. */
  inherited: string
  /** Whether it can be chosen that no rule applies. */
  canBeNone?: boolean
}

/** Chooses a rule at once. */
export function RuleSelect({ label, rules, target, own, inherited, canBeNone = true, ...rest }: RuleSelectProps) {
  const refresh = useRefreshRules()
  const isReadOnly = useReadOnlyReason() !== undefined
  const choose = trpc.noticeRules.choose.useMutation({
    onSuccess: () => toastSuccess('Notice rule chosen'),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to choose the rule' })),
    onSettled: refresh,
  })
  const shown = choose.isPending ? choose.variables.rule : own
  return (
    <NativeSelect
      label={label}
      maw={420}
      disabled={isReadOnly}
      rightSection={<CaretSortIcon aria-hidden />}
      data={[
        { value: 'inherited', label: inherited },
        ...(canBeNone ? [{ value: 'none', label: 'No rule' }] : []),
        ...rules.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={String(shown)}
      onChange={({ currentTarget: { value } }) => choose.mutate({ ...target, rule: choiceOf(value) })}
      {...rest}
    />
  )
}

function choiceOf(value: string): NoticeChoice {
  return value === 'none' || value === 'inherited' ? value : Number(value)
}
