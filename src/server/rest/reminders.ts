import type { FastifyInstance } from 'fastify'
import { SliceReminders } from '#shared/schemas/filters.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  ListComing,
  MessageKey,
  ReminderSettings,
  SaveContractSettings,
  SaveReminderSettings,
  SnoozeReminder,
} from '#shared/schemas/reminders.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  listComing,
  listReminders,
  listUnreachable,
  type ListedReminderView,
} from '#server/reminders/outbox.service.ts'
import { contractReminders, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import {
  sendReminderNow,
  skipReminder,
  snoozeReminder,
  undoSkippedReminder,
} from '#server/reminders/outbox-actions.service.ts'
import {
  getSettings,
  previewSettings,
  saveSettings,
  type SettingsView,
} from '#server/reminder-settings/settings.service.ts'
import type { MessageView } from '#server/reminders/reminder.view.ts'
import { inputOf, takes } from './input.ts'
import { asSubscriberOnce, runOnce } from './once.ts'
import { sendSlice } from './answers/slices.ts'
import { ALSO_A_SCREEN, alsoAScreen } from './answers/also-a-screen.ts'

/** Fields of a message in responses that do not identify it. */
const READ_ONLY_OF_MESSAGE = Object.keys({
  id: 1,
  customerName: 1,
  contactName: 1,
  day: 1,
  obstacle: 1,
  state: 1,
  reason: 1,
  address: 1,
  subject: 1,
  body: 1,
  mailNumber: 1,
  delivery: 1,
  answer: 1,
  attempts: 1,
  repeats: 1,
  waitsFor: 1,
  waitsUntil: 1,
  plannedAt: 1,
  sentAt: 1,
  endedAt: 1,
  deliveredAt: 1,
  bouncedAt: 1,
  hasCertificate: 1,
} satisfies Record<Exclude<keyof MessageView | keyof ListedReminderView, keyof MessageKey>, 1>)

/** Fields of the settings in responses that are not changed here. A preview needs no sender. */
const READ_ONLY_OF_SETTINGS = Object.keys({ senderName: 1, replyTo: 1, timeZone: 1, ownerEmail: 1 } satisfies Record<
  Exclude<keyof SettingsView, keyof ReminderSettings>,
  1
>)

export async function reminderRoutes(app: FastifyInstance) {
  app.get('/reminders', alsoAScreen(SliceReminders), async (request, reply) => {
    const ctx = requireReader(request.context)
    const { limit, cursor, ...filter } = inputOf(SliceReminders, request)
    return sendSlice({ request, reply }, { limit, cursor }, (page) => listReminders(ctx, { ...filter, ...page }))
  })

  app.get('/reminders/coming', takes(ListComing), async (request) =>
    listComing(requireReader(request.context), inputOf(ListComing, request)),
  )

  app.get('/reminders/unreachable', async (request) => listUnreachable(requireReader(request.context)))

  app.post('/reminders/skip', async (request, reply) => {
    const input = inputOf(MessageKey, request, READ_ONLY_OF_MESSAGE)
    await asSubscriberOnce(request, (ctx) => skipReminder(ctx, input))
    return reply.code(204).send()
  })

  app.post('/reminders/undo-skip', async (request, reply) => {
    const input = inputOf(MessageKey, request, READ_ONLY_OF_MESSAGE)
    await asSubscriberOnce(request, (ctx) => undoSkippedReminder(ctx, input))
    return reply.code(204).send()
  })

  app.post('/reminders/snooze', async (request, reply) => {
    const input = inputOf(SnoozeReminder, request, READ_ONLY_OF_MESSAGE)
    await asSubscriberOnce(request, (ctx) => snoozeReminder(ctx, input))
    return reply.code(204).send()
  })

  app.post('/reminders/send', async (request) => {
    const input = inputOf(MessageKey, request, READ_ONLY_OF_MESSAGE)
    return runOnce(request, () => sendReminderNow(request.context, input))
  })

  app.get('/account/mail-limits', async (request) => getMailLimits(requireReader(request.context)))

  app.get('/contracts/:id/reminders', async (request) =>
    contractReminders(requireReader(request.context), inputOf(ById, request)),
  )

  app.put('/contracts/:id/reminders', async (request) => {
    const input = inputOf(SaveContractSettings, request)
    return asSubscriber(request.context, (ctx) => saveContractSettings(ctx, input))
  })

  app.get('/notifications/settings', ALSO_A_SCREEN, async (request) => getSettings(requireReader(request.context)))

  app.post('/notifications/settings/preview', async (request) =>
    previewSettings(requireReader(request.context), inputOf(ReminderSettings, request, READ_ONLY_OF_SETTINGS)),
  )

  app.put('/notifications/settings', async (request) => {
    const input = inputOf(SaveReminderSettings, request, READ_ONLY_OF_SETTINGS)
    return asSubscriber(request.context, (ctx) => saveSettings(ctx, input))
  })
}
