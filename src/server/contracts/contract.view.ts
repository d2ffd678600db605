import sql from 'sql-template-tag'
import { z } from 'zod'
import { pdfAddress } from '#shared/domain/contract-pdf.ts'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { daysLeft } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import { lastDayForNoticeOf } from '#shared/domain/notice-period.ts'
import { amountFromCents } from '#shared/domain/money.ts'
import type { Renews } from '#shared/domain/renews.ts'
import { termStartOf } from '#shared/domain/renewal.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ContractEntity } from './contract.entity.ts'

const OWN = columnsOf(ContractEntity, 'k', [
  'id',
  'customerId',
  'amountCents',
  'startDate',
  'renewalCycle',
  'renewalDate',
  'status',
  'title',
  'reference',
  'renews',
  'noticePeriod',
  'termNumber',
  'termStart',
  'anchorDate',
  'nextAmountCents',
  'nextCycle',
  'endsOn',
  'heldRenewalDate',
  'tags',
  'version',
])

/** The columns of a ContractRow, from contracts `k`. The name is a subquery per row, so the number of customers does not matter. */
export const CONTRACT_COLUMNS = sql`${OWN}, k.pdf_path is not null as "hasPdf",
  (select c.name from customers c where c.account_id = k.account_id and c.id = k.customer_id) as "customerName"`

export const ContractRow = z.object({ ...OWN.fields, customerName: z.string(), hasPdf: z.boolean() })
export type ContractRow = z.output<typeof ContractRow>

export interface ContractView {
  id: number
  customerId: number
  customerName: string
  /** US dollars with at most two decimals. */
  amount: number
  startDate: Day
  renewalCycle: RenewalCycle
  renewalDate: Day
  status: ContractStatus
  /** Where the PDF can be read; null if there is none. */
  pdfPath: string | null
  /** What it is for. */
  title: string | null
  /** The owner's own number or code. */
  reference: string | null
  /** What happens on the renewal date if nobody has decided. */
  renews: Renews
  /** How long before the renewal date the contract has to be ended, such as '30 days' or '1 month'. */
  noticePeriod: string | null
  /** The last day on which notice can be given in the current term; null without a notice period. */
  noticeDate: Day | null
  /** The number of the current term, from 1. */
  term: number
  /** Its first day. */
  termStart: Day
  /** The day whose day of the month the cycle keeps: the start date, unless a late renewal began on another day. */
  anchorDate: Day
  /** What the next term costs, in US dollars, and its cycle; null if they stay the same. */
  nextAmount: number | null
  nextCycle: RenewalCycle | null
  /** The day on which the contract ends or ended; null if that was not decided. */
  endsOn: Day | null
  tags: string[]
  /** How often the contract has been changed, from 1. */
  version: number
  /** Calendar days from the account's today to the renewal date; negative once it has passed. */
  daysLeft: number
}

/** A contract as both transports return it. */
export function contractView(row: ContractRow, today: Day): ContractView {
  return {
    id: row.id,
    customerId: row.customerId,
    customerName: row.customerName,
    amount: amountFromCents(row.amountCents),
    startDate: row.startDate,
    renewalCycle: row.renewalCycle,
    renewalDate: row.renewalDate,
    status: row.status,
    pdfPath: row.hasPdf ? pdfAddress(row.id) : null,
    title: row.title,
    reference: row.reference,
    renews: row.renews,
    noticePeriod: row.noticePeriod,
    noticeDate: lastDayForNoticeOf(row),
    term: row.termNumber,
    termStart: termStartOf(row),
    anchorDate: row.anchorDate ?? row.startDate,
    nextAmount: row.nextAmountCents === null ? null : amountFromCents(row.nextAmountCents),
    nextCycle: row.nextCycle,
    endsOn: row.endsOn,
    tags: row.tags,
    version: row.version,
    daysLeft: daysLeft(row, today),
  }
}
