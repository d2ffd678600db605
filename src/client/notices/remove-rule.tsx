import { trpc } from '#client/api/trpc.ts'
import { DeleteDialog } from '#client/forms/delete-dialog.tsx'
import type { NoticeRule } from './notice-words.ts'
import { useRefreshRules } from './use-refresh-rules.ts'

interface RemoveRuleProps {
  opened: boolean
  rule: NoticeRule | undefined
  onClose: () => void
}

/** Nothing remembers for what the rule was chosen, so it asks first. */
export function RemoveRule({ rule, ...dialog }: RemoveRuleProps) {
  const { client } = trpc.useUtils()
  const refresh = useRefreshRules()
  if (!rule) return null
  return (
    <DeleteDialog
      title="Remove Notice Rule"
      confirmLabel="Remove"
      remove={() => client.noticeRules.remove.mutate({ id: rule.id })}
      done={`Notice rule "${rule.name}" removed`}
      failure={{ failed: 'Failed to remove the rule' }}
      onClosed={() => void refresh()}
      {...dialog}
    >
      <p>
        Remove <strong>{rule.name}</strong>?
      </p>
      <p>Contracts for which it is chosen then follow a less specific choice, or no rule. This cannot be undone.</p>
    </DeleteDialog>
  )
}
