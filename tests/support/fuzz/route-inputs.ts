import { ChangeNote, SliceActivity } from '#shared/schemas/activity.ts'
import { BulkChange } from '#shared/schemas/bulk.ts'
import {
  EndContract,
  RenewContract,
  ReopenContract,
  SaveRenewalSettings,
  UndoDecision,
} from '#shared/schemas/renewals.ts'
import { z } from 'zod'
import { ImportArchive } from '#shared/schemas/archives.ts'
import { CreateApiKey, DeleteAccount, SetTimeZone } from '#shared/schemas/accounts.ts'
import { AdoptNoticeRule, ChangeNoticeRule, ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice, SliceIncompleteNotices, SliceNotices } from '#shared/schemas/notices.ts'
import { OpenPortal, StartCheckout, SubscriptionOf } from '#shared/schemas/billing.ts'
import { ConfirmReplyTo, UpdateCompany } from '#shared/schemas/company.ts'
import { ContactMessage } from '#shared/schemas/contact.ts'
import { ExportContracts } from '#shared/schemas/exports.ts'
import { CustomerFilter, SliceContracts, SliceCustomers, SliceReminders } from '#shared/schemas/filters.ts'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { AddContact, ChangeContact, MakeFirst } from '#shared/schemas/customer-contacts.ts'
import { CreateCustomer, UpdateCustomer } from '#shared/schemas/customers.ts'
import { ById } from '#shared/schemas/fields.ts'
import { BulkUpload, MappingKey, SliceImports } from '#shared/schemas/imports.ts'
import { RestoreNotifications, SliceNotifications } from '#shared/schemas/notifications.ts'
import { TextOfKind, TryText, WriteText } from '#shared/schemas/reminder-texts.ts'
import {
  ListComing,
  MessageKey,
  ReminderSettings,
  SaveContractSettings,
  SaveReminderSettings,
  SnoozeReminder,
} from '#shared/schemas/reminders.ts'
import { Report } from '#shared/schemas/reports.ts'
import { RenameTag } from '#shared/schemas/tags.ts'
import { RestoreFromTrash, SliceTrash } from '#shared/schemas/trash.ts'
import { ChangeView, ListSettings, SaveView } from '#shared/schemas/views.ts'
import {
  AcceptAnswer,
  AnswerSettings,
  DeclineAnswer,
  EnteredAnswer,
  SaveContractAnswers,
  SliceAnswers,
} from '#shared/schemas/answers.ts'
import { AccountSearch, SuspendAccount } from '#shared/schemas/operator.ts'
import { SaveProofHead } from '#shared/schemas/proofs.ts'
import { WEBHOOKS } from './webhooks.ts'

const NOTHING = z.object({})
const { reminders: _ofContracts, existing: _alsoOfContracts, ...CUSTOMERS_UPLOAD } = BulkUpload.shape
const LINK = z.object({ token: z.string() })

/** What each route parses; one that writes must stand here. */
const ROUTE_INPUTS: Record<string, z.core.$ZodType> = {
  'GET /logos/:name': z.object({ name: z.string() }),
  'POST /unsubscribe/:token': LINK,
  'POST /unsubscribe/:token/undo': LINK,
  'POST /report/:token': z.object({ ...Report.shape, ...LINK.shape }),
  'POST /answer/:token': z.object({ ...EnteredAnswer.shape, ...LINK.shape, page: z.string() }),
  'POST /contact': ContactMessage,
  'PUT /account/time-zone': SetTimeZone,
  'DELETE /account': DeleteAccount,
  'PUT /account/company': UpdateCompany,
  'POST /account/company/logo': NOTHING,
  'POST /account/company/reply-to/code': NOTHING,
  'POST /account/company/reply-to/confirm': ConfirmReplyTo,
  'POST /api-keys': CreateApiKey,
  'GET /stripe/subscription-status/:userId': SubscriptionOf,
  'POST /stripe/create-checkout-session': StartCheckout,
  'POST /stripe/create-portal-session': OpenPortal,
  ...WEBHOOKS,
  'GET /operator/accounts': AccountSearch,
  'POST /operator/accounts/:id/suspend': SuspendAccount,
  'POST /operator/accounts/:id/end-suspension': ById,
  'POST /operator/accounts/:id/resume-mail': ById,
  'GET /customers': SliceCustomers,
  'POST /customers': CreateCustomer,
  'PUT /customers/:id': UpdateCustomer,
  'GET /customers/export.csv': CustomerFilter,
  'GET /contracts': SliceContracts,
  'POST /contracts': CreateContract,
  'PUT /contracts/:id': UpdateContract,
  'GET /contracts/export.csv': ExportContracts,
  'POST /contracts/:id/pdf': ById,
  'POST /contracts/:id/pdf/restore': ById,
  'POST /contracts/:id/renew': RenewContract,
  'POST /contracts/:id/renew/preview': RenewContract,
  'POST /contracts/:id/end': EndContract,
  'GET /answers': SliceAnswers,
  'POST /answers/:id/accept': AcceptAnswer,
  'POST /answers/:id/decline': DeclineAnswer,
  'PUT /account/proof-head': SaveProofHead,
  'PUT /account/answer-settings': AnswerSettings,
  'PUT /contracts/:id/answer-settings': SaveContractAnswers,
  'POST /contracts/:id/answer-links/revoke': ById,
  'POST /contracts/:id/reopen': ReopenContract,
  'POST /contracts/:id/undo': UndoDecision,
  'GET /customers/:id/activity': SliceActivity,
  'GET /contracts/:id/activity': SliceActivity,
  'POST /customers/:id/notes': ChangeNote,
  'POST /contracts/:id/notes': ChangeNote,
  'PUT /notes/:id': ChangeNote,
  'GET /notices': SliceNotices,
  'GET /notices/incomplete': SliceIncompleteNotices,
  'POST /contracts/:id/notice-letter': PostNotice,
  'POST /notice-rules': MakeNoticeRule,
  'POST /notice-rules/adopt': AdoptNoticeRule,
  'PUT /notice-rules/chosen': ChooseNoticeRule,
  'PUT /notice-rules/:id': ChangeNoticeRule,
  'PUT /tags/:tag': RenameTag,
  'POST /views': SaveView,
  'PUT /views/settings': ListSettings,
  'PUT /views/:id': ChangeView,
  'POST /customers/:id/contacts': AddContact,
  'PUT /contacts/:id': ChangeContact,
  'POST /contacts/:id/first': MakeFirst,
  'POST /bulk': BulkChange,
  'GET /trash': SliceTrash,
  'POST /trash/restore': RestoreFromTrash,
  'POST /bulk/:id/undo': ById,
  'PUT /account/renewal-settings': SaveRenewalSettings,
  'PUT /contracts/:id/reminders': SaveContractSettings,
  'POST /contracts/:id/reminder': ById,
  'GET /notifications': SliceNotifications,
  'PUT /notifications/:id/read': ById,
  'PUT /notifications/read': NOTHING,
  'POST /notifications/clear': NOTHING,
  'POST /notifications/restore': RestoreNotifications,
  'PUT /notifications/settings': SaveReminderSettings,
  'POST /notifications/settings/preview': ReminderSettings,
  'PUT /notifications/texts/:kind': WriteText,
  'DELETE /notifications/texts/:kind': TextOfKind,
  'POST /notifications/texts/:kind/preview': TryText,
  'POST /notifications/texts/:kind/test': TryText,
  'GET /reminders': SliceReminders,
  'GET /reminders/coming': ListComing,
  'POST /reminders/skip': MessageKey,
  'POST /reminders/undo-skip': MessageKey,
  'POST /reminders/snooze': SnoozeReminder,
  'POST /reminders/send': MessageKey,
  'GET /imports': SliceImports,
  'DELETE /imports/mappings/:kind/:key': MappingKey,
  'POST /imports/sample': NOTHING,
  'POST /imports/archive': ImportArchive,
  'POST /customers/bulk-upload': z.object(CUSTOMERS_UPLOAD),
  'POST /contracts/bulk-upload': BulkUpload,
}

/** @throws for a route that writes and is not in the table */
export function routeInput(method: string, url: string): z.core.$ZodType {
  const found = ROUTE_INPUTS[`${method === 'HEAD' ? 'GET' : method} ${url}`]
  if (found) return found
  if (method === 'POST' || method === 'PUT') throw new Error(`route-inputs.ts does not say what ${method} ${url} takes`)
  const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()])
  return url.includes(':id') ? ById : z.object(Object.fromEntries(parameters))
}
