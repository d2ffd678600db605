import type { Day } from '#shared/domain/day.ts'
import { instantOf } from '#shared/domain/reminder-hour.ts'
import type { WriteEach } from '#server/db/database.ts'
import { AddedConfirmation, confirmationsAdded } from '#server/ledger/confirmations.ts'
import { confirmationsOf, RenewedContract, renewedContracts } from '#server/reminders/confirmations.ts'
import { accountFacts, AccountRow, reminderAccountOf } from '#server/reminders/reminder-account.ts'

/** Contracts of an account that have just renewed by themselves. */
export interface RenewedIn {
  accountId: number
  ids: readonly number[]
  now: Date
  /** The account's calendar day. */
  today: Day
}

/**
 * Has customers told of renewals in the transaction that renews, at the account's hour of that day, so that nobody is
 * written to at night. Returns, in the same order, the contracts whose customers get an email.
 */
export async function confirmRenewals(write: WriteEach, renewed: readonly RenewedIn[]): Promise<Set<number>[]> {
  const accounts = await write(
    renewed.map(({ accountId }) => ({ accountId, statement: accountFacts(accountId) })),
    AccountRow,
  )
  const contracts = await write(
    renewed.map(({ accountId, ids }) => ({ accountId, statement: renewedContracts(accountId, ids) })),
    RenewedContract,
  )
  const added = renewed.map(({ accountId, now, today }, index) => {
    const account = accounts[index]?.map((row) => reminderAccountOf(accountId, row))[0]
    if (!account) throw new Error('An account whose contracts renew has its row')
    const { hour } = account.settings
    const due = instantOf(today, hour, account.timeZone)
    const at = due > now ? due : now
    const confirmations = confirmationsOf(contracts[index] ?? [], { account, today })
    return { accountId, statement: confirmationsAdded(confirmations, { accountId, now, at }) }
  })
  const told = await write(added, AddedConfirmation)
  return told.map((rows) => new Set(rows.filter(({ isPlanned }) => isPlanned).map(({ contractId }) => contractId)))
}
