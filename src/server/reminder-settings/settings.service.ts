import { comingSpan, forecastChange } from '#shared/domain/reminder-forecast.ts'
import type { ReminderSettings, SaveReminderSettings } from '#shared/schemas/reminders.ts'
import { updateCompany } from '#server/company/company.service.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import { readReminderAccount, type ReminderAccount } from '#server/reminders/reminder-account.ts'
import { replan } from '#server/ledger/schedule.ts'
import { ReminderPreferencesEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { candidates, forecastOf } from '#server/reminders/reminder-subject.ts'
import { messageView, type MessageView } from '#server/reminders/reminder.view.ts'

const NAMED = 5
/** Going through all contracts would take a minute in an account with 100,000. */
const MOST_PREVIEWED = 5000

export interface SettingsView extends ReminderSettings {
  /** The company's name, and the reply-to address, confirmed or not. */
  senderName: string | null
  replyTo: string | null
  /** The time zone of the hour. */
  timeZone: string
  /** Where replies go unless another address is set. */
  ownerEmail: string
}

interface Messages {
  count: number
  /** The first few of them. */
  first: MessageView[]
}

/** What other settings would change in the coming 90 days. */
export interface SettingsPreview {
  added: Messages
  removed: Messages
  /** How many contracts were examined, if not all: there may be more messages. */
  onlyFirst: number | null
}

export async function getSettings({ read, accountId }: ReaderContext): Promise<SettingsView> {
  return settingsView(await readReminderAccount(read, accountId))
}

/** @throws TOO_MANY_REQUESTS, TOO_MANY_AT_ONCE */
export function previewSettings(ctx: ReaderContext, settings: ReminderSettings): Promise<SettingsPreview> {
  return ctx.limits.during('previews', ctx.accountId, () => changesOf(ctx, settings))
}

async function changesOf(ctx: ReaderContext, settings: ReminderSettings): Promise<SettingsPreview> {
  const { read, accountId, today } = ctx
  const account = await readReminderAccount(read, accountId)
  const preview: SettingsPreview = { added: noMessages(), removed: noMessages(), onlyFirst: null }
  let seen = 0
  const span = comingSpan(today)
  for await (const rows of candidates(read, account, span)) {
    if (seen >= MOST_PREVIEWED) return { ...preview, onlyFirst: seen }
    seen += rows.length
    for (const row of rows) {
      const before = forecastOf(row, account, span)
      const { added, removed } = forecastChange(before, forecastOf(row, { ...account, settings }, span))
      add(
        preview.added,
        added.map((decision) => messageView(row, decision)),
      )
      add(
        preview.removed,
        removed.map((decision) => messageView(row, decision)),
      )
    }
  }
  return preview
}

/** Takes effect at once: the account is planned again. A name and a reply-to address, if sent, change the company. */
export async function saveSettings(ctx: SubscriberContext, settings: SaveReminderSettings): Promise<SettingsView> {
  const { em, write, accountId, services } = ctx
  const { enableNotifications, reminderDays, followUpDays, notificationMethods, hour, senderName, replyTo } = settings
  if (senderName || replyTo !== undefined) await updateCompany(ctx, { name: senderName ?? undefined, replyTo })
  await replan(write, { accountId, now: services.now() })
  await em.upsert(ReminderPreferencesEntity, {
    accountId,
    enableNotifications,
    reminderDays,
    followUpDays,
    email: notificationMethods.email,
    inApp: notificationMethods.inApp,
    hour,
  })
  return settingsView(await readReminderAccount(write, accountId))
}

function settingsView({ settings, company, timeZone, owner }: ReminderAccount): SettingsView {
  const { name: senderName, replyTo } = company
  return { ...settings, senderName, replyTo, timeZone, ownerEmail: owner.email ?? '' }
}

function noMessages(): Messages {
  return { count: 0, first: [] }
}

function add(messages: Messages, more: MessageView[]): void {
  messages.count += more.length
  if (more.length === 0) return
  messages.first = [...messages.first, ...more].toSorted((one, other) => (one.day < other.day ? -1 : 1)).slice(0, NAMED)
}
