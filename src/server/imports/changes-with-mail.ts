import { isOpen } from '#shared/domain/contract-status.ts'
import { comingSpan } from '#shared/domain/reminder-forecast.ts'
import type { ReaderContext } from '#server/context.ts'
import { RuleRow } from '#server/notice-rules/chosen-rule.ts'
import { chosenRules } from '#server/notice-rules/noticed-contracts.ts'
import { emailsOfChanges, type NewEmails, waitsForOwner } from '#server/reminders/new-emails.ts'
import { readReminderAccount } from '#server/reminders/reminder-account.ts'
import type { ContractChange } from './existing-contracts.ts'
import { knownTags } from './known-tags.ts'
import { bringsMail } from './update-contracts.ts'

/** The emails that changes which keep renewal dates bring; nothing of contracts about which they bring none at any time. */
export async function mailOfChanges(ctx: ReaderContext, changes: readonly ContractChange[]): Promise<NewEmails[]> {
  const { read, accountId, today } = ctx
  const kept = changes.filter((change) => isOpen(change.after.status) && !bringsMail(change, today))
  const rules = kept.some(mayBringNotice) ? await read(chosenRules(accountId), RuleRow) : []
  const mailed = kept.filter(
    (change) => waitsForOwner(change.before, change.after) || (rules.length > 0 && mayBringNotice(change)),
  )
  if (mailed.length === 0) return []
  const account = await readReminderAccount(read, accountId)
  const tags = await knownTags(
    ctx,
    mailed.map(({ after }) => after.tags),
  )
  const terms = new Map(
    mailed.map(({ after: { id, status, renews, renewalCycle, noticePeriod } }, at) => [
      id,
      { status, renews, renewalCycle, noticePeriod, tags: tags[at] ?? [] },
    ]),
  )
  return emailsOfChanges(ctx, { account, span: comingSpan(today), terms })
}

function mayBringNotice({ before, after }: ContractChange): boolean {
  if (after.renews !== 'automatic') return false
  return (
    before.renews !== after.renews ||
    before.renewalCycle !== after.renewalCycle ||
    before.noticePeriod !== after.noticePeriod ||
    before.tags.join() !== after.tags.join()
  )
}
