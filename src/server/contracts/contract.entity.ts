import { defineEntity, p } from '@mikro-orm/core'
import { filesPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'

// The customer is a plain number: its foreign key is (account, customer), so that no contract can point at another
// account's customer, and nothing needs the customer as an object.
export const ContractEntity = defineEntity({
  name: 'Contract',
  tableName: 'contracts',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), filesPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    customerId: p.integer(),
    amountCents: p.bigint('number').$type<Cents>(),
    startDate: p.date().$type<Day>(),
    renewalCycle: p.text().$type<RenewalCycle>(),
    renewalDate: p.date().$type<Day>(),
    status: p.text().$type<ContractStatus>(),
    pdfPath: p.text().nullable(),
    /** Null without a PDF, and for those uploaded before sizes were recorded. */
    pdfBytes: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Occasions before this do not count: when the renewal date was last set, or the contract reopened. */
    remindersSince: p.datetime().defaultRaw('now()'),
    /** The customer gets no emails about this renewal date. */
    mutedRenewalDate: p.date().$type<Day>().nullable(),
    importId: p.integer().nullable(),
    /** When an imported row was first changed by hand; kept by the table itself. */
    editedAt: p.datetime().nullable(),
  },
})
