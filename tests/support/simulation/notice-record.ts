import { NOTICE_DAYS, NOTICE_LISTS, type NoticeList } from '#shared/schemas/notice-lists.ts'
import { requireReader } from '#server/context.ts'
import { listNotices } from '#server/notices/notices.service.ts'
import { fault } from './fault.ts'
import {
  dayAt,
  daysLater,
  type Model,
  type ModelAccount,
  type ModelContract,
  type RecordedWindow,
  type Row,
} from './model.ts'
import { contractsOf, isGiven, noticesOf, windowKey, windowOf } from './notice-rules.ts'
import type { Play } from './play.ts'
import { untilConnected } from './write.ts'

/** What closed longer ago, while nothing was planned, is not recorded any more. */
const OLDEST_DAYS = 60
/** Compared, of a list. */
const MOST_LISTED = 1000
const WENT_OUT = new Set(['sending', 'sent', 'delivered', 'bounced'])

/**
 * Notes the windows that are open, or have closed since the account was planned the last time: as they are by now, also
 * where they were noted before. One that is open no longer goes, also with its contract, unless notice was given or tried.
 */
export function recordWindows(model: Model, account: ModelAccount, plannedBefore: string): void {
  const { recorded, counts } = model.notices
  const today = dayAt(model.now, account.timeZone)
  const from = [
    plannedBefore >= today ? today : daysLater(plannedBefore, 1),
    daysLater(today, -OLDEST_DAYS),
  ].toSorted()[1]
  const open = contractsOf(model, account).flatMap((contract) => {
    const window = windowOf(contract)
    return window && window.from <= today && window.through >= (from ?? today) ? [{ contract, window }] : []
  })
  const keys = new Set(open.map(({ contract }) => windowKey(contract)))
  for (const [key, one] of recorded) {
    if (one.contract.account !== account || one.through < today || one.postedOn !== null || keys.has(key)) continue
    if (!wasTried(model, one)) recorded.delete(key)
  }
  for (const { contract, window } of open) {
    const { term, renewalDate } = contract
    const known = recorded.get(windowKey(contract))
    if (!known) counts.windows += 1
    if (!known)
      recorded.set(windowKey(contract), { ...window, contract, term, renewalDate, postedOn: null, warned: null })
    if (!known || known.postedOn !== null) continue
    // Nobody has looked at the last week before another last day yet.
    if (known.through !== window.through) delete known.seen
    Object.assign(known, window)
  }
}

function wasTried(model: Model, one: RecordedWindow): boolean {
  return noticesOf(model, one.contract, one).some(({ state }) => WENT_OUT.has(state))
}

/** The lists of what is due, was given and was missed are what the model makes of it. */
export async function judgeLists(play: Play, account: ModelAccount): Promise<void> {
  const { model } = play
  const today = dayAt(model.now, account.timeZone)
  for (const show of NOTICE_LISTS) {
    const expected = listed(model, account, { show, today })
    const { rows, total } = await untilConnected(() =>
      listNotices(requireReader(account.request), { show, limit: MOST_LISTED, skip: 0 }),
    )
    model.notices.counts.lists += 1
    if (show === 'due') model.notices.counts.due = Math.max(model.notices.counts.due, total)
    const told = rows.map(({ contractId, renewalDate, from, through, postedOn }) =>
      [contractId, renewalDate, from, through, postedOn ?? ''].join(' '),
    )
    const wanted = expected.map(({ id, renewalDate, from, through, postedOn }) =>
      [id ?? '', renewalDate, from, through, postedOn ?? ''].join(' '),
    )
    const isSame = total > MOST_LISTED || told.toSorted().join() === wanted.toSorted().join()
    if (total === wanted.length && isSame) continue
    const [missing, added] = [wanted.filter((one) => !told.includes(one)), told.filter((one) => !wanted.includes(one))]
    const what = `account ${account.id}: ${total} notices are ${show}, not ${wanted.length}`
    const [one = ''] = [...missing, ...added]
    fault(model, `${what}; without ${missing.join(', ')}; with ${added.join(', ')}`, contractOf(model, account, one))
  }
}

/** Of a notice as it was told; where the contract is gone, one that notice was sent of for the same renewal. */
function contractOf(model: Model, account: ModelAccount, told: string): number | undefined {
  const [id = '', renewalDate] = told.split(' ')
  if (id !== '') return Number(id)
  const gone = contractsOf(model, account).filter(({ deletion }) => deletion?.isForGood)
  const isOf = (row: Row) => row.kind === 'notice' && row.renewalDate === renewalDate
  return gone.find((one) => model.rowsOf.get(one.id)?.some(isOf))?.id
}

interface Listed {
  /** Null where the contract is gone. */
  id: number | null
  renewalDate: string
  from: string
  through: string
  postedOn: string | null
}

function listed(model: Model, account: ModelAccount, { show, today }: { show: NoticeList; today: string }): Listed[] {
  const all = [...model.notices.recorded.values()].filter(({ contract }) => contract.account === account)
  if (show === 'given') return all.filter((one) => isGiven(model, one)).map(listedOf)
  if (show === 'missed')
    return all
      .filter(({ contract, through }) => through < today && isListed(contract))
      .filter((one) => !isGiven(model, one))
      .map(listedOf)
  return contractsOf(model, account).flatMap((contract) => {
    const window = windowOf(contract)
    const last = daysLater(today, NOTICE_DAYS)
    const known = model.notices.recorded.get(windowKey(contract))
    const isDone = known && known.through >= today && isGiven(model, known)
    if (!window || window.through < today || window.from > last || isDone) return []
    const { id, renewalDate } = contract
    return [{ id, renewalDate, ...window, postedOn: null }]
  })
}

function listedOf({ contract, renewalDate, from, through, postedOn }: RecordedWindow): Listed {
  return { id: contract.deletion ? null : contract.id, renewalDate, from, through, postedOn }
}

/** A contract in the trash has missed none; one that is gone has. */
function isListed({ deletion }: ModelContract): boolean {
  return deletion === null || deletion.isForGood
}

/** How many windows notice was given in, and how many closed without. */
export function countWindows(model: Model): void {
  const { recorded, counts } = model.notices
  for (const one of recorded.values()) {
    const isOver = one.through < dayAt(model.now, one.contract.account.timeZone)
    if (isGiven(model, one)) counts.given += 1
    else if (isOver && isListed(one.contract)) counts.missed += 1
  }
}
