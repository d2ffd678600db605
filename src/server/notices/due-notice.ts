import sql from 'sql-template-tag'
import { isNotComputed, NO_WINDOW, windowRemedy, type NoWindow } from '#shared/domain/notice-window.ts'
import { AppError } from '#shared/errors.ts'
import type { Read } from '#server/db/database.ts'
import { windowOfContract } from '#server/notice-rules/chosen-rule.ts'
import {
  candidateColumns,
  NoticeCandidate,
  NOTICED_TABLES,
  type WithWindow,
} from '#server/notice-rules/noticed-contracts.ts'

/**
 * A contract with the window of its current term, in which a letter counts. @throws CONTRACT_NOT_FOUND, NOTICE_NOT_DUE,
 * NOTICE_WINDOW_NOT_COMPUTED, NOTICE_LETTER_DOES_NOT_COUNT
 */
export async function noticeByLetter(
  { read, accountId }: { read: Read; accountId: number },
  id: number,
  { isChanging = false } = {},
): Promise<WithWindow> {
  // In a statement of its own: a join with the customer finds no row if the contract gets another one during the wait.
  if (isChanging)
    await read(sql`select from contracts k where k.account_id = ${accountId} and k.id = ${id} for no key update`)
  const statement = sql`
    select ${candidateColumns()} from ${NOTICED_TABLES} where k.account_id = ${accountId} and k.id = ${id}`
  const [contract] = await read(statement, NoticeCandidate)
  if (!contract) throw new AppError('CONTRACT_NOT_FOUND')
  const window = windowOfContract(contract)
  const rule = contract.chosen?.rule
  if (!rule || !window) throw new AppError('NOTICE_NOT_DUE', { values: { why: 'no rule applies to it' } })
  if (!window.days) throw noWindow(window.why)
  if (!rule.means.includes('letter')) throw new AppError('NOTICE_LETTER_DOES_NOT_COUNT')
  return { contract, rule, days: window.days, derivation: window.derivation }
}

function noWindow(why: NoWindow): AppError {
  if (!isNotComputed(why)) return new AppError('NOTICE_NOT_DUE', { values: { why: NO_WINDOW[why] } })
  return new AppError('NOTICE_WINDOW_NOT_COMPUTED', { values: { why: NO_WINDOW[why], remedy: windowRemedy(why) } })
}
