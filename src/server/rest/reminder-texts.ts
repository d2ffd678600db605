import type { FastifyInstance } from 'fastify'
import { TextOfKind, TryText, WriteText } from '#shared/schemas/reminder-texts.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  getTexts,
  previewText,
  resetText,
  saveText,
  sendTestText,
  type TextView,
} from '#server/reminder-settings/texts.service.ts'
import { inputOf } from './input.ts'
import { runOnce } from './once.ts'
import { ALSO_A_SCREEN } from './answers/also-a-screen.ts'

/** Fields of a template in responses that no request can change. */
const READ_ONLY = Object.keys({ isDefault: 1 } satisfies Record<Exclude<keyof TextView, keyof WriteText>, 1>)

export async function reminderTextRoutes(app: FastifyInstance) {
  app.get('/notifications/texts', ALSO_A_SCREEN, async (request) => getTexts(requireReader(request.context)))

  app.put('/notifications/texts/:kind', async (request) => {
    const input = inputOf(WriteText, request, READ_ONLY)
    return asSubscriber(request.context, (ctx) => saveText(ctx, input))
  })

  app.delete('/notifications/texts/:kind', async (request) => {
    const input = inputOf(TextOfKind, request)
    return asSubscriber(request.context, (ctx) => resetText(ctx, input))
  })

  app.post('/notifications/texts/:kind/preview', async (request) =>
    previewText(requireReader(request.context), inputOf(TryText, request, READ_ONLY)),
  )

  app.post('/notifications/texts/:kind/test', async (request) => {
    const input = inputOf(TryText, request, READ_ONLY)
    return runOnce(request, () => sendTestText(requireReader(request.context), input))
  })
}
