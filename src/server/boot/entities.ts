import { ActivityEntity, NoteEntity } from '#server/activity/activity.entity.ts'
import { SubscriptionEntity } from '#server/identity/subscription.entity.ts'
import { BulkChangeEntity, BulkContractEntity } from '#server/bulk/bulk-change.entity.ts'
import { CompanyEntity } from '#server/company/company.entity.ts'
import { ReplyToCodeEntity } from '#server/company/reply-to-code.entity.ts'
import { ContractDecisionEntity, ContractTermEntity } from '#server/contracts/contract-history.entity.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { RenewalSettingsEntity } from '#server/contracts/renewal-settings.entity.ts'
import { ClosedAddressEntity } from '#server/customers/closed-address.entity.ts'
import { CustomerContactEntity } from '#server/customers/customer-contact.entity.ts'
import {
  AnswerLinkEntity,
  AnswerSettingsEntity,
  CustomerAnswerEntity,
} from '#server/customer-answers/customer-answer.entity.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { ApiKeyEntity } from '#server/identity/api-key.entity.ts'
import { IdempotencyKeyEntity } from '#server/idempotency/idempotency-key.entity.ts'
import {
  ImportEntity,
  ImportFailureEntity,
  ImportMappingEntity,
  ImportUpdateEntity,
} from '#server/imports/import.entity.ts'
import { KeptPdfEntity } from '#server/files/kept-pdf.entity.ts'
import { NoticeEntity } from '#server/notice-rules/notice.entity.ts'
import { NoticeChoiceEntity, NoticeRuleEntity } from '#server/notice-rules/notice-rule.entity.ts'
import { NotificationEntity } from '#server/notifications/notification.entity.ts'
import { BouncedAddressEntity, ComplaintEntity, MailStopEntity } from '#server/deliverability/deliverability.entity.ts'
import {
  ContractReminderPreferencesEntity,
  ReminderPreferencesEntity,
  ReminderTextEntity,
} from '#server/reminders/reminder-preferences.entity.ts'
import { ReminderScheduleEntity, ReminderEntity } from '#server/ledger/reminder.entity.ts'
import { ProofEntity, ProofHeadEntity, ProofRecordEntity } from '#server/proofs/proof.entity.ts'
import { TagEntity } from '#server/tags/tag.entity.ts'
import { ListSettingsEntity } from '#server/views/list-settings.entity.ts'
import { SavedViewEntity } from '#server/views/saved-view.entity.ts'

/** Every table that the server reads or writes by its entity. */
export const ENTITIES = [
  AccountEntity,
  ActivityEntity,
  AnswerLinkEntity,
  AnswerSettingsEntity,
  ApiKeyEntity,
  BouncedAddressEntity,
  BulkChangeEntity,
  BulkContractEntity,
  CompanyEntity,
  ClosedAddressEntity,
  ComplaintEntity,
  ContractDecisionEntity,
  ContractEntity,
  ContractTermEntity,
  ContractReminderPreferencesEntity,
  CustomerAnswerEntity,
  CustomerContactEntity,
  CustomerEntity,
  IdempotencyKeyEntity,
  ImportEntity,
  ImportFailureEntity,
  ImportMappingEntity,
  ImportUpdateEntity,
  KeptPdfEntity,
  ListSettingsEntity,
  MailStopEntity,
  NoteEntity,
  NoticeChoiceEntity,
  NoticeEntity,
  NoticeRuleEntity,
  NotificationEntity,
  ProofEntity,
  ProofHeadEntity,
  ProofRecordEntity,
  ReminderEntity,
  ReminderPreferencesEntity,
  ReminderScheduleEntity,
  ReminderTextEntity,
  RenewalSettingsEntity,
  ReplyToCodeEntity,
  SavedViewEntity,
  SubscriptionEntity,
  TagEntity,
]
