import { defineEntity, p } from '@mikro-orm/core'
import type { ReportReason } from '#shared/schemas/reports.ts'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

/** An address that bounced, until it is marked as working. If it bounces again it gets another row. */
export const BouncedAddressEntity = defineEntity({
  name: 'BouncedAddress',
  tableName: 'bounced_addresses',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    id: p.integer().primary(),
    /** In lower case. */
    address: p.text(),
    bouncedAt: p.datetime(),
    /** What the mail server said. */
    answer: p.text().nullable(),
    clearedAt: p.datetime().nullable(),
  },
})

export type ComplaintSource = 'report' | 'provider'

/** A reader's complaint about a message, by our own form or through their mailbox provider. */
export const ComplaintEntity = defineEntity({
  name: 'Complaint',
  tableName: 'complaints',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    id: p.integer().primary(),
    /** The ledger's row of the message. */
    reminderId: p.bigint('number'),
    source: p.text().$type<ComplaintSource>(),
    /** Null if the mailbox provider reported it. */
    reason: p.text().$type<ReportReason>().nullable(),
    complainedAt: p.datetime(),
  },
})

/** A pause of an account's mail to customers, until the operator lifts it. */
export const MailStopEntity = defineEntity({
  name: 'MailStop',
  tableName: 'mail_stops',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    accountId: p.integer().primary(),
    id: p.integer().primary(),
    stoppedAt: p.datetime(),
    /** The complaints and emails counted by then. */
    complaints: p.integer(),
    mails: p.integer(),
    /** When the owner and the operator were emailed. */
    toldAt: p.datetime().nullable(),
    liftedAt: p.datetime().nullable(),
    /** The end of the stop for which the log has an entry. */
    liftLoggedAt: p.datetime().nullable(),
  },
})
