import sql from 'sql-template-tag'
import { z } from 'zod'
import { pdfAddress } from '#shared/domain/contract-pdf.ts'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { daysLeft } from '#shared/domain/contract-term.ts'
import type { Day } from '#shared/domain/day.ts'
import { amountFromCents } from '#shared/domain/money.ts'
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
    daysLeft: daysLeft(row, today),
  }
}
