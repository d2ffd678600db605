import type { FastifyInstance } from 'fastify'
import { RenameTag, TagByName } from '#shared/schemas/tags.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import { listTags, removeTag, renameTag, type TagView } from '#server/tags/tags.service.ts'
import { ALSO_A_SCREEN } from './answers/also-a-screen.ts'
import { inputOf } from './input.ts'

/** Fields of a tag in responses that no request can change. */
const READ_ONLY = Object.keys({ contracts: 1, customers: 1 } satisfies Record<
  Exclude<keyof TagView, keyof RenameTag>,
  1
>)

export async function tagRoutes(app: FastifyInstance) {
  app.get('/tags', ALSO_A_SCREEN, async (request) => listTags(requireReader(request.context)))

  app.put('/tags/:tag', async (request) => {
    const input = inputOf(RenameTag, request, READ_ONLY)
    return asSubscriber(request.context, (ctx) => renameTag(ctx, input))
  })

  app.delete('/tags/:tag', async (request, reply) => {
    const input = inputOf(TagByName, request)
    await asSubscriber(request.context, (ctx) => removeTag(ctx, input))
    return reply.code(204).send()
  })
}
