import { amountFromCents } from '#shared/domain/money.ts'
import { consequenceOf } from '#shared/domain/notice-presets.ts'
import { isNotComputed, windowRemedy, type NotComputed } from '#shared/domain/notice-window.ts'
import type { Day } from '#shared/domain/day.ts'
import type { ListIncompleteNotices } from '#shared/schemas/notices.ts'
import type { ReaderContext } from '#server/context.ts'
import type { PageView } from '#server/db/page.ts'
import { windowOfContract } from '#server/notice-rules/chosen-rule.ts'
import { candidatesOf, NoticeCandidate } from '#server/notice-rules/noticed-contracts.ts'
import { findNotComputed } from './contract-groups.ts'
import { compared, pageOfContracts, totalsOf } from './contract-pages.ts'

/** A contract of which notice may be due, though it cannot be computed when. */
export interface IncompleteNoticeView {
  contractId: number
  customerName: string
  title: string | null
  renewalDate: Day
  /** What the next term costs, in dollars. */
  amount: number
  ruleName: string
  /** What a missed window means, by the rule. */
  consequence: string
  /** Why the window cannot be computed, in words, and what its owner can do. */
  why: NotComputed
  derivation: string
  remedy: string
}

/** The first to renew first. */
export interface IncompleteNoticesView extends PageView<IncompleteNoticeView> {
  /** The sum of what the next terms of all of them cost, in dollars. */
  amount: number
}

/** A page of the contracts to which a rule applies and whose notice windows cannot be computed. @throws TOO_MANY_AT_ONCE */
export function listIncompleteNotices(ctx: ReaderContext, page: ListIncompleteNotices): Promise<IncompleteNoticesView> {
  return ctx.limits.during('lists', ctx.accountId, async () => {
    const { read, accountId } = ctx
    const found = await findNotComputed(ctx)
    const { ids, ...ends } = await pageOfContracts(read, found, { name: 'notices.incomplete', ...page })
    const contracts = ids.length > 0 ? await read(candidatesOf(accountId, ids), NoticeCandidate) : []
    const rows = contracts.flatMap(incompleteView)
    return {
      rows: rows.toSorted((one, other) => compared(positionOf(one), positionOf(other))),
      ...totalsOf(found),
      ...ends,
    }
  })
}

function positionOf({ renewalDate, contractId }: IncompleteNoticeView) {
  return { day: renewalDate, contractId }
}

function incompleteView(contract: NoticeCandidate): IncompleteNoticeView[] {
  const rule = contract.chosen?.rule
  const window = windowOfContract(contract)
  if (!rule || !window || window.days || !isNotComputed(window.why)) return []
  const { contractId, customerName, title, renewalDate, amountCents, nextAmountCents } = contract
  const { why, derivation } = window
  return [
    {
      contractId,
      customerName,
      title,
      renewalDate,
      amount: amountFromCents(nextAmountCents ?? amountCents),
      ruleName: rule.name,
      consequence: consequenceOf(rule.preset),
      why,
      derivation,
      remedy: windowRemedy(why),
    },
  ]
}
