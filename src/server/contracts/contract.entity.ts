import { defineEntity, p } from '@mikro-orm/core'
import { texts } from '#server/db/checked-columns.ts'
import { actingContractsPolicy, filesPolicy, tenantWithTrashPolicy, trashPolicy } from '#server/db/tenant-policies.ts'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { Renews } from '#shared/domain/renews.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'

// The customer is a plain number: its foreign key is (account, customer), so that no contract can point at another
// account's customer, and nothing needs the customer as an object.
export const ContractEntity = defineEntity({
  name: 'Contract',
  tableName: 'contracts',
  rowLevelSecurity: 'force',
  policies: [tenantWithTrashPolicy(), filesPolicy(), actingContractsPolicy(), trashPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    customerId: p.integer(),
    amountCents: p.bigint('number').$type<Cents>(),
    startDate: p.date().$type<Day>(),
    renewalCycle: p.text().$type<RenewalCycle>(),
    renewalDate: p.date().$type<Day>(),
    status: p.text().$type<ContractStatus>(),
    /** What it is for. */
    title: p.text().nullable(),
    /** The owner's own number or code. */
    reference: p.text().nullable(),
    renews: p.text().$type<Renews>().default('by_agreement'),
    /** '30 days' or '1 month'; see `parseNoticePeriod`. */
    noticePeriod: p.text().nullable(),
    /** As `spelledTags` has them. */
    tags: texts().defaultRaw(`'{}'`),
    /** The current term; the others are in ContractTermEntity. */
    termNumber: p.integer().default(1),
    /** Null in the first term; see `termStartOf`. */
    termStart: p.date().$type<Day>().nullable(),
    /** Null if it is the start date. */
    anchorDate: p.date().$type<Day>().nullable(),
    nextAmountCents: p.bigint('number').$type<Cents>().nullable(),
    nextCycle: p.text().$type<RenewalCycle>().nullable(),
    endsOn: p.date().$type<Day>().nullable(),
    /** A renewal date on which nothing happens by itself. */
    heldRenewalDate: p.date().$type<Day>().nullable(),
    /** Counts the changes of the row; kept by the table itself. */
    version: p.integer().default(1),
    pdfPath: p.text().nullable(),
    /** Null without a PDF, and for those uploaded before sizes were recorded. */
    pdfBytes: p.bigint('number').nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** On whose behalf; set by the table itself, and null for those older than that. */
    createdBy: p.text().nullable().defaultRaw(`nullif(current_setting('app.actor', true), '')`),
    /** Occasions before this do not count: when the renewal date was last set, or the contract reopened. */
    remindersSince: p.datetime().defaultRaw('now()'),
    /** The customer gets no emails about this renewal date. */
    mutedRenewalDate: p.date().$type<Day>().nullable(),
    importId: p.integer().nullable(),
    /** When an imported row was first changed by hand; kept by the table itself. */
    editedAt: p.datetime().nullable(),
    /** When it was moved to the trash. */
    deletedAt: p.datetime().nullable(),
  },
})
