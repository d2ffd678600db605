import { noteRepriced } from './decisions.ts'
import { fault } from './fault.ts'
import { dayAt, remember, stateOf, type Model, type ModelAccount, type ModelContract } from './model.ts'
import type { Play } from './play.ts'
import { byItself, decidedOf, isNews, type DoneByItself, type Moment } from './renewal-rules.ts'
import { isSame, storedDecisions, tellDifference } from './stored-decisions.ts'

/** Beyond this, one notification counts them. */
const MOST_NAMED = 5

/**
 * What happens to contracts by themselves has happened once on its day, with a notification; and nothing else has. If
 * something went wrong, it may be still to come.
 */
export async function judgeNight(play: Play, { isComplete }: { isComplete: boolean }): Promise<void> {
  const { model } = play
  const stored = await storedDecisions(play)
  const acted = new Map<ModelAccount, number>()
  for (const contract of model.contracts.values()) {
    const { account, id, deletion } = contract
    if (deletion?.isForGood) continue
    const moment = { now: model.now, today: dayAt(model.now, account.timeZone) }
    const done = account.hasAccess ? byItself(contract, moment) : undefined
    const found = stored.get(id)
    if (done && isSame(found, { ...contract, ...done.after })) {
      carryOut(play, contract, { ...done, ...moment })
      acted.set(account, (acted.get(account) ?? 0) + 1)
    } else if (!isSame(found, contract)) tellDifference(play, contract, found)
    else if (done && isComplete && (!done.isOverdue || !account.nightDays.has(moment.today)))
      fault(model, `contract ${id}: nothing has happened by itself`, id)
  }
  for (const account of model.accounts) if (account.hasAccess) noteNight(model, account, isComplete)
  await judgeNotices(play, acted)
}

/** Of a run that something went wrong with, nobody knows whether it reached the account: the day before may still be stored. */
function noteNight(model: Model, { nightDays, timeZone }: ModelAccount, isComplete: boolean): void {
  if (isComplete) nightDays.clear()
  nightDays.add(dayAt(model.now, timeZone))
}

function carryOut(
  { model }: Play,
  contract: ModelContract,
  { after, isContinued, isOverdue, ...moment }: DoneByItself & Moment,
): void {
  const last = contract.decisions.at(-1)
  if (isContinued && last) last.after = { ...last.after, status: after.status }
  else if (!isContinued) contract.decisions.push({ isByItself: true, before: decidedOf(contract), after, skipped: [] })
  const isConfirmed = contract.account.confirms && isNews(contract, after, moment)
  if (after.term > contract.term) {
    model.renewals.push({ contract, isConfirmed, from: contract.renewalDate })
    noteRepriced(model, contract)
  }
  if (isOverdue) model.decided.overdueEnded += 1
  Object.assign(contract, after)
  model.decided.byItself += 1
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  remember(model, contract.id, `by itself: ${stateOf(contract)}`)
}

async function judgeNotices({ model, owner }: Play, acted: Map<ModelAccount, number>): Promise<void> {
  const { rows } = await owner.query<{ accountId: number; count: number; last: number }>(
    `select account_id as "accountId", count(*)::int as count, max(id) as last from notifications
      where id > $1 and type = 'other' and title ~ '( was renewed| expired| ended|^Contracts were renewed or closed)$'
      group by account_id`,
    [model.lastNotice],
  )
  model.lastNotice = Math.max(model.lastNotice, ...rows.map(({ last }) => last))
  for (const account of model.accounts) {
    const count = acted.get(account) ?? 0
    const told = rows.find(({ accountId }) => accountId === account.id)?.count ?? 0
    const expected = count > MOST_NAMED ? 1 : count
    if (told !== expected)
      fault(model, `account ${account.id}: ${told} notifications of ${count} that acted by themselves`)
  }
}
