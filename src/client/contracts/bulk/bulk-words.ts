import type { BulkAction, ReasonLeftOut } from '#shared/domain/bulk-change.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { formatCount } from '#client/text/format.ts'

export type Bulk = Outputs['bulk']['get']

/** Which contracts are left out of a change. */
const LEFT_OUT: Record<ReasonLeftOut, string> = {
  gone: 'deleted',
  closed: 'closed',
  ending: 'set to end',
  renewed: 'renewed meanwhile',
  not_begun: 'renewed already: the current term has not begun',
  too_late: 'too far in the future',
  too_many: 'in the last term that a contract can have',
  never_renews: 'never renewing',
  same_price: 'at this price already',
  price_impossible: 'whose new price would be too low or too high',
  same_tags: 'already tagged this way',
  too_many_tags: 'with as many tags as a contract can have',
  tags_full: 'because you have as many different tags as an account can have',
  no_company: 'because customers have to see your company name, and you have not entered one',
  unverified: 'because your email address is not verified',
  no_address: 'without an email address',
  opted_out: 'of customers whose notifications are turned off',
  address_bounced: 'at an address that bounced',
  unsubscribed: 'of customers who unsubscribed',
  complained: 'of customers who reported your email as spam',
  answered: 'with an answer that is waiting for you',
  sent_today: 'already reminded today',
  on_its_way: 'with a reminder on its way',
  mail_stopped: 'because your email to customers is paused',
  account_limit: 'over the number of emails that you can send today',
  address_limit: 'at an address that gets no more emails today',
}

export function contractCount(count: number): string {
  return count === 1 ? '1 contract' : `${formatCount(count)} contracts`
}

/** "2 closed, 1 set to end" */
export function leftOutText(leftOut: readonly { reason: ReasonLeftOut; count: number }[]): string {
  return leftOut.map(({ reason, count }) => `${formatCount(count)} ${LEFT_OUT[reason]}`).join(', ')
}

const UNDER_WAY: Record<BulkAction, string> = {
  renew: 'Renewing contracts',
  end: 'Ending contracts',
  change_price: 'Changing prices',
  delete: 'Deleting contracts',
  tag: 'Tagging contracts',
  remind: 'Sending reminders',
}

export function underWayText({ action, state }: Bulk): string {
  return state === 'undoing' ? 'Undoing the change' : UNDER_WAY[action]
}

/** From 0 to 1. */
export function progressOf({ state, total, waiting, changed, undone, keptCount }: Bulk): number {
  if (state === 'running') return 1 - waiting / total
  const toUndo = changed + undone + keptCount
  return toUndo === 0 ? 1 : 1 - changed / toUndo
}

const DONE: Record<BulkAction, (contracts: string) => string> = {
  renew: (contracts) => `Renewed ${contracts}`,
  end: (contracts) => `Ended ${contracts}`,
  change_price: (contracts) => `Changed the next price of ${contracts}`,
  delete: (contracts) => `Moved ${contracts} to the trash`,
  tag: (contracts) => `Changed the tags of ${contracts}`,
  remind: (contracts) => `Reminders about ${contracts} are on their way`,
}

/** What became of a change that is over. */
export function resultText({ action, state, changed, undone, leftOut, ...rest }: Bulk): string {
  if (state === 'done') {
    const left = leftOut.length > 0 ? `. Left out: ${leftOutText(leftOut)}` : ''
    return `${DONE[action](contractCount(changed))}${left}`
  }
  const { alreadyTold, keptCount, kept } = rest
  const told =
    alreadyTold === 0 ? '' : `. Emails about the renewal of ${contractCount(alreadyTold)} had already gone out`
  if (keptCount === 0) return `Undone: ${contractCount(undone)} as before${told}`
  const names = kept.map(({ customerName, changedSince }) => `${customerName ?? 'one contract'} (${changedSince})`)
  const others = keptCount > kept.length ? ', and others' : ''
  return `Undone: ${contractCount(undone)} as before${told}. Changed since, and kept: ${names.join(', ')}${others}`
}
