import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { PageSection } from '#client/ui/page-section.tsx'
import type { NoticeRule } from './notice-words.ts'
import { RuleSelect } from './rule-select.tsx'

/** Which rule about notices applies to a customer's contracts; nothing in an account without rules. */
export function CustomerNotice({ customerId }: { customerId: number }) {
  const rules = trpc.noticeRules.list.useQuery()
  if (rules.data ? rules.data.rules.length === 0 : !rules.isError) return null
  return (
    <PageSection title="Notice">
      <QueryError query={rules} failed="Failed to load the notice rules" />
      {rules.data && <Choice customerId={customerId} rules={rules.data.rules} />}
    </PageSection>
  )
}

function Choice({ customerId, rules }: { customerId: number; rules: readonly NoticeRule[] }) {
  const choice = trpc.noticeRules.ofCustomer.useQuery({ id: customerId })
  return (
    <>
      <QueryError query={choice} failed="Failed to load the notice rule" />
      {choice.data && (
        <RuleSelect
          label="Notice rule of this customer's contracts"
          rules={rules}
          target={{ customerId }}
          own={choice.data.own}
          inherited="Same as for their tags or all contracts"
        />
      )}
    </>
  )
}
