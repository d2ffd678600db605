import { defineEntity, p } from '@mikro-orm/core'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import type { Cents } from '#shared/domain/money.ts'
import type { NoticePresetKey } from '#shared/domain/notice-presets.ts'
import type { WarningDays } from '#shared/domain/notice-warning.ts'
import { NOTICE_MEANS, type LetterDelivery } from '#shared/domain/notice-window.ts'
import { bigIntegers, words } from '#server/db/checked-columns.ts'
import { tenantPolicy, warnedNoticesPolicy } from '#server/db/tenant-policies.ts'

/** A notice window that has opened, which stays when its contract is deleted, and the letter that was posted in it. */
export const NoticeEntity = defineEntity({
  name: 'Notice',
  tableName: 'notices',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), warnedNoticesPolicy()],
  properties: {
    id: p.integer().primary(),
    accountId: p.integer(),
    contractId: p.integer().nullable(),
    customerId: p.integer().nullable(),
    customerName: p.text(),
    termNumber: p.integer(),
    renewalDate: p.date().$type<Day>(),
    /** What the next term costs. */
    amountCents: p.bigint('number').$type<Cents>(),
    ruleName: p.text(),
    preset: p.text().$type<NoticePresetKey>().nullable(),
    means: words(z.enum(NOTICE_MEANS)),
    firstDay: p.date().$type<Day>(),
    lastDay: p.date().$type<Day>(),
    /** How the days follow from the rule. */
    derivation: p.text(),
    /** The day on which the letter was posted or handed over. */
    postedOn: p.date().$type<Day>().nullable(),
    /** The number of certified mail. */
    mailNumber: p.text().nullable(),
    /** How the letter was delivered, where that was said. */
    delivery: p.text().$type<LetterDelivery>().nullable(),
    postedAt: p.datetime().nullable(),
    /** The rows of the ledger with its emails, once the contract is deleted for good; the first of them, if that was long ago. */
    emailIds: bigIntegers().nullable(),
    emailId: p.bigint('number').nullable(),
    /** The last warning that it closes without notice: how many days before, of which last day, and when. */
    warnedDays: p.integer().$type<WarningDays>().nullable(),
    warnedLastDay: p.date().$type<Day>().nullable(),
    warnedAt: p.datetime().nullable(),
    /** When the owner is emailed about that; null once it is done. */
    ownerEmailAt: p.datetime().nullable(),
    /** Of the email that was tried about it, and may have been sent. */
    ownerEmailKey: p.text().nullable(),
    ownerEmailedOn: p.date().$type<Day>().nullable(),
  },
})
