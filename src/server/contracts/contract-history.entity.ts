import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import { json } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import type { Act } from '#shared/schemas/renewals.ts'

/** A term of a contract that another term follows. */
export const ContractTermEntity = defineEntity({
  name: 'ContractTerm',
  tableName: 'contract_terms',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    contractId: p.integer().primary(),
    number: p.integer().primary(),
    startDate: p.date().$type<Day>(),
    renewalDate: p.date().$type<Day>(),
    amountCents: p.bigint('number').$type<Cents>(),
    renewalCycle: p.text().$type<RenewalCycle>(),
    /** When it was renewed. */
    decidedAt: p.datetime(),
    /** The actor of that transaction. */
    decidedBy: p.text(),
  },
})

/** A decision that has not been undone, with the contract's columns before and after it. */
export const ContractDecisionEntity = defineEntity({
  name: 'ContractDecision',
  tableName: 'contract_decisions',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    contractId: p.integer(),
    act: p.text().$type<Act>(),
    decidedAt: p.datetime(),
    decidedBy: p.text(),
    reason: p.text().nullable(),
    note: p.text().nullable(),
    before: json(z.record(z.string(), z.unknown())),
    after: json(z.record(z.string(), z.unknown())),
  },
})
