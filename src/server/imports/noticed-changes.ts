import { isOpen } from '#shared/domain/contract-status.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import type { ReaderContext } from '#server/context.ts'
import { RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules } from '#server/notice-rules/noticed-contracts.ts'
import { newNotices, type NewNotices } from '#server/reminders/new-notices.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import type { ContractChange } from './existing-contracts.ts'
import { knownTags } from './known-tags.ts'
import { bringsMail } from './update-contracts.ts'

/** What changes that keep renewal dates do to notices; of contracts with the same days for them as before, nothing. */
export async function noticesOfChanges(ctx: ReaderContext, changes: readonly ContractChange[]): Promise<NewNotices[]> {
  const { read, accountId, today } = ctx
  const noticed = changes.filter(mayBringNotice)
  if (noticed.length === 0 || (await read(chosenRules(accountId), RuleRow)).length === 0) return []
  const account = await readReminderAccount(read, accountId)
  const tags = await knownTags(
    ctx,
    noticed.map(({ after }) => after.tags),
  )
  const terms = new Map(
    noticed.map(({ after: { id, renews, renewalCycle, noticePeriod } }, at) => [
      id,
      { renews, renewalCycle, noticePeriod, tags: tags[at] ?? [] },
    ]),
  )
  return newNotices(ctx, { account, span: comingSpan(today), terms })
}

function mayBringNotice(change: ContractChange): boolean {
  const { before, after } = change
  if (!isOpen(after.status) || after.renews !== 'automatic' || bringsMail(change)) return false
  return (
    before.renews !== after.renews ||
    before.renewalCycle !== after.renewalCycle ||
    before.noticePeriod !== after.noticePeriod ||
    before.tags.join() !== after.tags.join()
  )
}
