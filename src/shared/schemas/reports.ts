import * as z from 'zod/mini'
import { oneOf } from './filters.ts'

/** Why a reader reports an email. */
export const REPORT_REASONS = {
  unknown_sender: 'I do not know this sender',
  unwanted: 'I do not want these messages',
  fraud: 'This looks like fraud',
} as const
export type ReportReason = keyof typeof REPORT_REASONS

export const REPORT_REASON_KEYS = ['unknown_sender', 'unwanted', 'fraud'] as const satisfies ReportReason[]

/** The fields of the report form. */
export const Report = z.object({ reason: oneOf(REPORT_REASON_KEYS) })
export type Report = z.output<typeof Report>
