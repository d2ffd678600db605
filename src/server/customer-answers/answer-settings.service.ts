import { ForeignKeyConstraintViolationException } from '@mikro-orm/core'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { answerPreferencesOf } from '#shared/domain/customer-answer.ts'
import { AppError } from '#shared/errors.ts'
import type { AnswerSettings, ContractAnswerSettings, SaveContractAnswers } from '#shared/schemas/answers.ts'
import type { ById } from '#shared/schemas/fields.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { contractsOf } from '#server/contracts/contract.rows.ts'
import { answersJson, AnswersField } from './answer-settings.rows.ts'
import { AnswerSettingsEntity } from './customer-answer.entity.ts'

const SettingsRow = z.object({ account: AnswersField })

/** How the account's customers answer its reminders. */
export async function getAnswerSettings({
  read,
  accountId,
}: Pick<ReaderContext, 'read' | 'accountId'>): Promise<AnswerSettings> {
  const [row] = await read(sql`select ${answersJson(sql`${accountId}::int`)} as account`, SettingsRow)
  return answerPreferencesOf(row?.account ?? null, null)
}

/** Takes effect at once, also for links in messages that were sent before. */
export async function saveAnswerSettings(ctx: SubscriberContext, settings: AnswerSettings): Promise<AnswerSettings> {
  const { em, accountId } = ctx
  await em.upsert(AnswerSettingsEntity, { accountId, contractId: null, ...settings }, UNIQUE)
  return settings
}

const UNIQUE: { onConflictFields: ('accountId' | 'contractId')[] } = { onConflictFields: ['accountId', 'contractId'] }

export interface ContractAnswersView {
  /** The account's settings, and those that the contract overrides. */
  account: AnswerSettings
  own: ContractAnswerSettings
}

const ContractRow = SettingsRow.extend({ own: AnswersField })

/** @throws CONTRACT_NOT_FOUND, also for somebody else's */
export async function getContractAnswers(
  { read, accountId }: ReaderContext,
  { id }: ById,
): Promise<ContractAnswersView> {
  const statement = sql`
    select ${answersJson(sql`k.account_id`)} as account, ${answersJson(sql`k.account_id`, sql`k.id`)} as own
    ${contractsOf(accountId)} and k.id = ${id}`
  const [row] = await read(statement, ContractRow)
  if (!row) throw new AppError('CONTRACT_NOT_FOUND')
  return { account: answerPreferencesOf(row.account, null), own: row.own ?? UNCHANGED }
}

const UNCHANGED: ContractAnswerSettings = {
  hasLink: null,
  renewal: null,
  deadline: null,
  lateEnd: null,
  showsPdf: null,
}

/** Takes effect at once. @throws CONTRACT_NOT_FOUND, also for somebody else's */
export async function saveContractAnswers(
  ctx: SubscriberContext,
  { id, ...own }: SaveContractAnswers,
): Promise<ContractAnswersView> {
  const { em, accountId } = ctx
  await em.upsert(AnswerSettingsEntity, { accountId, contractId: id, ...own }, UNIQUE).catch((error: unknown) => {
    if (error instanceof ForeignKeyConstraintViolationException)
      throw new AppError('CONTRACT_NOT_FOUND', { cause: error })
    throw error
  })
  return getContractAnswers(ctx, { id })
}
