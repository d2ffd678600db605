import { join } from 'node:path'
import { UnderscoreNamingStrategy } from '@mikro-orm/core'
import { defineConfig } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import type { Dialect } from 'kysely'
import type { PoolConfig } from 'pg'
import { SubscriptionEntity } from '#server/identity/subscription.entity.ts'
import { CompanyEntity } from '#server/company/company.entity.ts'
import { ReplyToCodeEntity } from '#server/company/reply-to-code.entity.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { ClosedAddressEntity } from '#server/customers/closed-address.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { ApiKeyEntity } from '#server/identity/api-key.entity.ts'
import { ImportEntity, ImportFailureEntity, ImportMappingEntity } from '#server/imports/import.entity.ts'
import { NotificationEntity } from '#server/notifications/notification.entity.ts'
import { BouncedAddressEntity, ComplaintEntity, MailStopEntity } from '#server/deliverability/deliverability.entity.ts'
import {
  ContractReminderPreferencesEntity,
  ReminderPreferencesEntity,
  ReminderTextEntity,
} from '#server/reminders/reminder-preferences.entity.ts'
import { ReminderScheduleEntity, ReminderEntity } from '#server/reminders/reminder.entity.ts'

export const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../migrations')
export const MIGRATIONS_TABLE = 'migrations'

/** One configuration for the server, on a pool as the app role, and for the migrations, on connections as the owner. */
export function ormConfig(connection: PoolConfig | Dialect) {
  return defineConfig({
    entities: [
      AccountEntity,
      ApiKeyEntity,
      BouncedAddressEntity,
      CompanyEntity,
      ClosedAddressEntity,
      ComplaintEntity,
      ContractEntity,
      ContractReminderPreferencesEntity,
      CustomerEntity,
      ImportEntity,
      ImportFailureEntity,
      ImportMappingEntity,
      MailStopEntity,
      NotificationEntity,
      ReminderEntity,
      ReminderPreferencesEntity,
      ReminderScheduleEntity,
      ReminderTextEntity,
      ReplyToCodeEntity,
      SubscriptionEntity,
    ],
    dbName: ('database' in connection && connection.database) || 'traxx',
    driverOptions: connection,
    namingStrategy: UnderscoreNamingStrategy,
    forceUtcTimezone: true,
    extensions: [Migrator],
    migrations: { path: MIGRATIONS_FOLDER, tableName: MIGRATIONS_TABLE, glob: '*.ts', snapshot: false, silent: true },
  })
}
