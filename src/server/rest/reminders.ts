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
import { listComing, listReminders, listUnreachable } from '#server/reminders/outbox.service.ts'
import { contractReminders, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { getMailLimits } from '#server/deliverability/mail-limits.service.ts'
import {
  sendReminderNow,
  skipReminder,
  snoozeReminder,
  undoSkippedReminder,
} from '#server/reminders/outbox-actions.service.ts'
import { getSettings, previewSettings, saveSettings } from '#server/reminder-settings/settings.service.ts'
import { inputOf, takes } from './input.ts'
import { sendSlice } from './answers/slices.ts'
import { ALSO_A_SCREEN, alsoAScreen } from './answers/also-a-screen.ts'

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
    const input = inputOf(MessageKey, request)
    await asSubscriber(request.context, (ctx) => skipReminder(ctx, input))
    return reply.code(204).send()
  })

  app.post('/reminders/undo-skip', async (request, reply) => {
    const input = inputOf(MessageKey, request)
    await asSubscriber(request.context, (ctx) => undoSkippedReminder(ctx, input))
    return reply.code(204).send()
  })

  app.post('/reminders/snooze', async (request, reply) => {
    const input = inputOf(SnoozeReminder, request)
    await asSubscriber(request.context, (ctx) => snoozeReminder(ctx, input))
    return reply.code(204).send()
  })

  app.post('/reminders/send', async (request) => sendReminderNow(request.context, inputOf(MessageKey, request)))

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
    previewSettings(requireReader(request.context), inputOf(ReminderSettings, request)),
  )

  app.put('/notifications/settings', async (request) => {
    const input = inputOf(SaveReminderSettings, request)
    return asSubscriber(request.context, (ctx) => saveSettings(ctx, input))
  })
}
