import { columnsOf } from '#server/db/columns.ts'
import { z } from 'zod'
import { CustomerAnswerEntity } from './customer-answer.entity.ts'

/** The columns of an answer `w`. */
export const ANSWER = columnsOf(CustomerAnswerEntity, 'w', [
  'id',
  'contractId',
  'customerId',
  'customerName',
  'termNumber',
  'number',
  'linkId',
  'contactId',
  'address',
  'choice',
  'state',
  'isLate',
  'isChange',
  'wishedAmountCents',
  'wishedDate',
  'reason',
  'words',
  'offer',
  'network',
  'answeredAt',
  'decidedAt',
  'decidedBy',
  'reply',
  'agreed',
  'isImported',
])
export const AnswerRow = z.object(ANSWER.fields)
export type AnswerRow = z.output<typeof AnswerRow>
