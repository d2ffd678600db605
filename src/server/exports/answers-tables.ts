import sql from 'sql-template-tag'
import { z } from 'zod'
import { answerStateOf } from '#shared/domain/customer-answer.ts'
import { amountFromCents } from '#shared/domain/money.ts'
import { namedActor } from '#server/activity/actor-name.ts'
import type { ReaderContext } from '#server/context.ts'
import { ANSWER, AnswerRow } from '#server/customer-answers/answer.rows.ts'
import { columnsOf } from '#server/db/columns.ts'
import { AnswerSettingsEntity } from '#server/customer-answers/customer-answer.entity.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

type ExportedAnswer = Omit<AnswerRow, 'linkId'>

/** What customers answered. */
export function answersTable({ read, accountId }: ReaderContext): ExportTable<ExportedAnswer> {
  return {
    headings: [
      'ID',
      'Contract ID',
      'Customer',
      'Term',
      'Address',
      'Answer',
      'State',
      'After Last Day for Notice',
      'Requested Amount',
      'Requested Date',
      'Reason',
      'Message',
      'Answered',
      'Network',
      'Decided',
      'Decided By',
      'Reply',
      'Imported',
    ],
    cells: (answer) => [
      answer.id,
      answer.contractId,
      answer.customerName,
      answer.termNumber,
      answer.address,
      answer.choice,
      answerStateOf(answer),
      answer.isLate,
      answer.wishedAmountCents === null ? null : amountFromCents(answer.wishedAmountCents).toFixed(2),
      answer.wishedDate,
      answer.reason,
      answer.words,
      answer.answeredAt,
      answer.network,
      answer.decidedAt,
      answer.decidedBy,
      answer.reply,
      answer.isImported,
    ],
    batches: () =>
      byId(async (after) => {
        const statement = sql`
          select ${ANSWER}, ${namedActor(accountId, sql`w.decided_by`)} as "decidedBy" from customer_answers w
          where w.account_id = ${accountId} and w.id > ${after} order by w.id limit ${BATCH}`
        const rows = await read(statement, AnswerRow)
        return rows.map(({ linkId: _link, ...row }) => row)
      }),
  }
}

const SETTINGS = columnsOf(AnswerSettingsEntity, 's', [
  'id',
  'contractId',
  'hasLink',
  'renewal',
  'deadline',
  'lateEnd',
  'showsPdf',
])
const SettingsRow = z.object(SETTINGS.fields)

/** How customers answer: of the account, and of single contracts. An empty cell means the account's, or the default. */
export function answerSettingsTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof SettingsRow>> {
  return {
    headings: ['Contract ID', 'Links', 'Renew', 'Until', 'Late "Do not renew"', 'Shows PDF'],
    cells: ({ contractId, hasLink, renewal, deadline, lateEnd, showsPdf }) => [
      contractId,
      hasLink,
      renewal,
      deadline,
      lateEnd,
      showsPdf,
    ],
    batches: () =>
      byId((after) => {
        const statement = sql`
          select ${SETTINGS} from answer_settings s where s.account_id = ${accountId} and s.id > ${after}
          order by s.id limit ${BATCH}`
        return read(statement, SettingsRow)
      }),
  }
}
