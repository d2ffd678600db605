import sql from 'sql-template-tag'
import { z } from 'zod'
import { TEXT_KINDS, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { getCompany, type CompanyView } from '#server/company/company.service.ts'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { ContractReminderPreferencesEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { getSettings, type SettingsView } from '#server/reminder-settings/settings.service.ts'
import { getTexts } from '#server/reminder-settings/texts.service.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

/** The account's notification settings: a table of one row. */
export function settingsTable(ctx: ReaderContext): ExportTable<SettingsView> {
  return {
    headings: ['Notifications', 'Reminder Days', 'Follow-up Days', 'By Email', 'In App', 'Hour'],
    cells: ({ enableNotifications, reminderDays, followUpDays, notificationMethods, hour }) => [
      enableNotifications,
      reminderDays.join(' '),
      followUpDays.join(' '),
      notificationMethods.email,
      notificationMethods.inApp,
      hour,
    ],
    async *batches() {
      yield [await getSettings(ctx)]
    },
  }
}

/** The company: a table of one row. The logo is a separate file. */
export function companyTable(ctx: ReaderContext): ExportTable<CompanyView> {
  return {
    headings: ['Name', 'Reply To', 'Reply To Confirmed', 'Postal Address'],
    cells: ({ name, replyTo, isReplyToConfirmed, postalAddress }) => [name, replyTo, isReplyToConfirmed, postalAddress],
    async *batches() {
      yield [await getCompany(ctx)]
    },
  }
}

interface ExportedText extends ReminderText {
  kind: TextKind
}

/** The message templates, changed or not. */
export function reminderTextsTable(ctx: ReaderContext): ExportTable<ExportedText> {
  return {
    headings: ['Kind', 'Subject', 'Text'],
    cells: ({ kind, subject, body }) => [kind, subject, body],
    async *batches() {
      const texts = await getTexts(ctx)
      yield TEXT_KINDS.map((kind) => ({ kind, subject: texts[kind].subject, body: texts[kind].body }))
    },
  }
}

const SETTINGS = columnsOf(ContractReminderPreferencesEntity, 'o', [
  'enableNotifications',
  'reminderDays',
  'followUpDays',
  'email',
  'inApp',
])
/** The ID is the contract's. */
const ContractSettings = z.object({ id: z.int(), ...SETTINGS.fields })

/** Preferences of single contracts; an empty cell means the account's. */
export function contractSettingsTable({
  read,
  accountId,
}: ReaderContext): ExportTable<z.output<typeof ContractSettings>> {
  return {
    headings: ['Contract ID', 'Notifications', 'Reminder Days', 'Follow-up Days', 'By Email', 'In App'],
    cells: ({ id, enableNotifications, reminderDays, followUpDays, email, inApp }) => [
      id,
      enableNotifications,
      daysShown(reminderDays),
      daysShown(followUpDays),
      email,
      inApp,
    ],
    batches: () =>
      byId((after) =>
        read(
          sql`select o.contract_id as id, ${SETTINGS} from contract_reminder_preferences o
            where o.account_id = ${accountId} and o.contract_id > ${after} order by o.contract_id limit ${BATCH}`,
          ContractSettings,
        ),
      ),
  }
}

// An empty list differs from null: it turns off every day.
function daysShown(days: number[] | null): string | null {
  return days && (days.join(' ') || 'none')
}
