import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import type { AnswerChoice, AnswerPreferences, AnswerState, Offer } from '#shared/domain/customer-answer.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { json } from '#server/db/checked-columns.ts'
import { tenantPolicy } from '#server/db/tenant-policies.ts'

const cents = z.custom<Cents>((value) => Number.isSafeInteger(value))
const day = z.custom<Day>((value) => typeof value === 'string' && isDay(value))

export const OfferColumn: z.ZodType<Offer> = z.object({
  customerId: z.int(),
  termNumber: z.int(),
  amountCents: cents,
  renewalCycle: z.enum(RENEWAL_CYCLES),
  renewalDate: day,
  renews: z.enum(RENEWS),
  noticePeriod: z.string().nullable(),
  nextAmountCents: cents.nullable(),
  nextCycle: z.enum(RENEWAL_CYCLES).nullable(),
})

/** What became of the contract by an answer: its new term, or the day on which it ends. */
export const Agreed = z.union([
  z.object({ termStart: day, renewalDate: day, amountCents: cents, renewalCycle: z.enum(RENEWAL_CYCLES) }),
  z.object({ endsOn: day }),
])
export type Agreed = z.output<typeof Agreed>

/** How customers answer: of the account, or of one contract. What is null is left to the account, or to the defaults. */
export const AnswerSettingsEntity = defineEntity({
  name: 'AnswerSettings',
  tableName: 'answer_settings',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    /** Null: the account's own. */
    contractId: p.integer().nullable(),
    hasLink: p.boolean().nullable(),
    renewal: p.text().$type<AnswerPreferences['renewal']>().nullable(),
    deadline: p.text().$type<AnswerPreferences['deadline']>().nullable(),
    lateEnd: p.text().$type<AnswerPreferences['lateEnd']>().nullable(),
    showsPdf: p.boolean().nullable(),
  },
})

/** A link in messages to one contact of a customer, about one term of a contract as it was offered. */
export const AnswerLinkEntity = defineEntity({
  name: 'AnswerLink',
  tableName: 'answer_links',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    contractId: p.integer(),
    termNumber: p.integer(),
    contactId: p.integer(),
    /** Where it was sent, in lower case. */
    address: p.text(),
    offer: json(OfferColumn),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
})

/** What a customer answered. It stays when its contract or customer is deleted. */
export const CustomerAnswerEntity = defineEntity({
  name: 'CustomerAnswer',
  tableName: 'customer_answers',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    contractId: p.integer().nullable(),
    customerId: p.integer().nullable(),
    customerName: p.text(),
    termNumber: p.integer(),
    /** Within its term, from 1. */
    number: p.integer(),
    linkId: p.integer().nullable(),
    contactId: p.integer(),
    address: p.text(),
    choice: p.text().$type<AnswerChoice>(),
    state: p.text().$type<AnswerState>(),
    /** A "do not renew" after the last day for notice. */
    isLate: p.boolean().default(false),
    /** It replaced an earlier answer. */
    isChange: p.boolean().default(false),
    wishedAmountCents: p.bigint('number').$type<Cents>().nullable(),
    wishedDate: p.date().$type<Day>().nullable(),
    /** Why they do not renew, as the account's list has it. */
    reason: p.text().nullable(),
    words: p.text().nullable(),
    offer: json(OfferColumn),
    /** The network from which it came, shortened. */
    network: p.text().nullable(),
    answeredAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
    /** The actor of the decision. */
    decidedBy: p.text().nullable(),
    /** What the owner wrote with it. */
    reply: p.text().nullable(),
    /** An archive has brought it: nothing shows that the customer gave it. */
    isImported: p.boolean().default(false),
    /** What became of the contract; null while it waits, and where it was declined. */
    agreed: json(Agreed).nullable(),
  },
})
