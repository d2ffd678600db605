import type { z } from 'zod'
import { UpdateCompany } from '#shared/schemas/company.ts'
import { SavedText } from '#shared/schemas/reminder-texts.ts'
import { ReminderSettings } from '#shared/schemas/reminders.ts'
import { RenewalSettings } from '#shared/schemas/renewals.ts'
import { ListSettings } from '#shared/schemas/views.ts'
import {
  answersReader,
  bouncesReader,
  changesReader,
  closedAddressesReader,
  complaintsReader,
  mailStopsReader,
  messagesReader,
  notesReader,
  viewsReader,
} from './read-history.ts'
import {
  answerSettingsReader,
  contactsReader,
  contractSettingsReader,
  contractsReader,
  customersReader,
  decisionsReader,
  tagsReader,
  termsReader,
} from './read-records.ts'
import { Once, reading, type Known, type ReadRow } from './references.ts'

/** The files of an archive that are imported, in the order in which they refer to each other. */
export const ARCHIVE_TABLES = [
  'company',
  'notification-settings',
  'reminder-texts',
  'renewal-settings',
  'tags',
  'customers',
  'customer-contacts',
  'contracts',
  'contract-terms',
  'contract-decisions',
  'contract-reminder-settings',
  'answer-settings',
  'customer-answers',
  'saved-views',
  'list-settings',
  'notes',
  'activity',
  'reminders',
  'complaints',
  'bounced-addresses',
  'closed-addresses',
  'mail-stops',
] as const
export type ArchiveTable = (typeof ARCHIVE_TABLES)[number]

/** How the rows of each file are read. */
export function rowReaders(known: Known): Record<ArchiveTable, ReadRow> {
  const kinds = new Once<string>()
  return {
    company: single(UpdateCompany),
    'notification-settings': single(ReminderSettings),
    'reminder-texts': reading(SavedText, (text) => {
      kinds.add(text.kind)
      return text
    }),
    'renewal-settings': single(RenewalSettings),
    tags: tagsReader(known),
    customers: customersReader(known),
    'customer-contacts': contactsReader(known),
    contracts: contractsReader(known),
    'contract-terms': termsReader(known),
    'contract-decisions': decisionsReader(known),
    'contract-reminder-settings': contractSettingsReader(known),
    'answer-settings': answerSettingsReader(known),
    'customer-answers': answersReader(known),
    'saved-views': viewsReader(known),
    'list-settings': single(ListSettings),
    notes: notesReader(known),
    activity: changesReader(known),
    reminders: messagesReader(known),
    complaints: complaintsReader(known),
    'bounced-addresses': bouncesReader(),
    'closed-addresses': closedAddressesReader(),
    'mail-stops': mailStopsReader(),
  }
}

/** A table of at most one row. */
function single<Schema extends z.core.$ZodType<object>>(schema: Schema): ReadRow {
  const once = new Once<string>()
  return reading(schema, (row) => {
    once.add('row')
    return row
  })
}
