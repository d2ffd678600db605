import type { FastifyInstance } from 'fastify'
import type { ActivitySubject } from '#shared/domain/activity.ts'
import { ChangeNote, SliceActivity } from '#shared/schemas/activity.ts'
import { ById } from '#shared/schemas/fields.ts'
import { Slice } from '#shared/schemas/filters.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { listActivity } from '#server/activity/activity.service.ts'
import { addNote, changeNote, listNotes, removeNote, type NoteView } from '#server/activity/notes.service.ts'
import { sendSlice } from './answers/slices.ts'
import { inputOf, takes } from './input.ts'
import { asSubscriberOnce } from './once.ts'

const SUBJECTS: [path: string, about: ActivitySubject][] = [
  ['/customers/:id', 'customer'],
  ['/contracts/:id', 'contract'],
]

/** Fields of a note in responses that no request can change. */
const READ_ONLY = Object.keys({ createdAt: 1, by: 1, editedAt: 1, isOwn: 1 } satisfies Record<
  Exclude<keyof NoteView, keyof ChangeNote>,
  1
>)

export async function activityRoutes(app: FastifyInstance) {
  for (const [path, about] of SUBJECTS) {
    app.get(`${path}/activity`, takes(Slice), async (request, reply) => {
      const ctx = requireReader(request.context)
      const { limit, cursor, id } = inputOf(SliceActivity, request)
      return sendSlice({ request, reply }, { limit, cursor }, (page) => listActivity(ctx, { about, id, ...page }))
    })

    app.get(`${path}/notes`, async (request) =>
      listNotes(requireReader(request.context), { about, ...inputOf(ById, request) }),
    )

    app.post(`${path}/notes`, async (request, reply) => {
      const input = { about, ...inputOf(ChangeNote, request) }
      return reply.code(201).send(await asSubscriberOnce(request, (ctx) => addNote(ctx, input)))
    })
  }

  app.put('/notes/:id', async (request) => {
    const input = inputOf(ChangeNote, request, READ_ONLY)
    return asSubscriber(request.context, (ctx) => changeNote(ctx, input))
  })

  app.delete('/notes/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeNote(ctx, input))
    return reply.code(204).send()
  })
}
