import { defineEntity, p } from '@mikro-orm/core'
import { dueRemindersPolicy, postedRemindersPolicy, systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'
import type { Day } from '#shared/domain/day.ts'
import type { MailLimit } from '#shared/domain/mail-limits.ts'
import type { LetterDelivery } from '#shared/domain/notice-window.ts'
import type { Line, PastMessage } from '#shared/domain/reminder-plan.ts'
import type { ReminderState } from '#shared/schemas/filters.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'

/**
 * The ledger: a row for every message that fell due, which stays when its contract or customer is deleted. A letter that was
 * mailed is a row too, of a kind and a channel of its own (`letter`), which only those see who read the whole ledger.
 */
export const ReminderEntity = defineEntity({
  name: 'Reminder',
  tableName: 'reminders',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), dueRemindersPolicy(), postedRemindersPolicy()],
  properties: {
    id: p.bigint('number').primary(),
    accountId: p.integer(),
    contractId: p.integer().nullable(),
    customerId: p.integer().nullable(),
    customerName: p.text(),
    renewalDate: p.date().$type<Day>(),
    /** The contract's term that it is about. */
    termNumber: p.integer(),
    kind: p.text().$type<PastMessage['kind']>(),
    /** Days before the renewal date, or after it for a follow-up; for a manual reminder, the days left. */
    offsetDays: p.integer(),
    dueOn: p.date().$type<Day>(),
    recipient: p.text().$type<Line['recipient']>(),
    /** Which contact of the customer; 0 is the first, and the owner. */
    contactId: p.integer().default(0),
    /** The contact's name, where it is not the first. */
    contactName: p.text().nullable(),
    channel: p.text().$type<Line['channel']>(),
    state: p.text().$type<ReminderState>(),
    reason: p.text().$type<ReminderReason>().nullable(),
    address: p.text().nullable(),
    subject: p.text().nullable(),
    body: p.text().nullable(),
    messageId: p.text().nullable(),
    attempts: p.integer().default(0),
    /** How often it was sent again because nobody knew whether it had been sent. */
    repeats: p.integer().default(0),
    /** Of a letter, the number of certified mail. */
    mailNumber: p.text().nullable(),
    /** Of a letter, how it was delivered, if that was said. */
    delivery: p.text().$type<LetterDelivery>().nullable(),
    /** The mail server's last response. */
    answer: p.text().nullable(),
    /** While planned: when it is tried. While sending: when the lease ends, or when it is tried again. */
    nextAttemptAt: p.datetime().nullable(),
    /** While planned: which limit keeps it from being sent now. */
    waitsFor: p.text().$type<MailLimit>().nullable(),
    plannedAt: p.datetime(),
    sendingAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    /** The account's calendar day then. */
    sentOn: p.date().$type<Day>().nullable(),
    endedAt: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    bouncedAt: p.datetime().nullable(),
  },
})

/** When an account's reminders are planned next. Every account with a contract has a row. */
export const ReminderScheduleEntity = defineEntity({
  name: 'ReminderSchedule',
  tableName: 'reminder_schedules',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** The last day that has been planned. */
    plannedThrough: p.date().$type<Day>(),
    nextPlanAt: p.datetime(),
    plannedAt: p.datetime().nullable(),
    /** The day of the last email to the owner about windows for notices that close. */
    ownerEmailedOn: p.date().$type<Day>().nullable(),
  },
})
