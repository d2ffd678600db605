import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { PostNotice, SliceIncompleteNotices, SliceNotices } from '#shared/schemas/notices.ts'
import { asSubscriber, requireExporter, type RequestContext } from '#server/context.ts'
import { noticeOfContract } from '#server/notices/contract-notice.service.ts'
import { listIncompleteNotices } from '#server/notices/incomplete-notices.service.ts'
import { getNoticeLetter } from '#server/notices/notice-letter.service.ts'
import { listNotices } from '#server/notices/notices.service.ts'
import { postNotice, unpostNotice } from '#server/notices/post-notice.service.ts'
import { alsoAScreen } from './answers/also-a-screen.ts'
import { sendFile } from './answers/downloads.ts'
import { linkNext } from './answers/slices.ts'
import { inputOf, takes } from './input.ts'
import { asSubscriberOnce } from './once.ts'

/** Open as long as the data can be exported, as a legal deadline does not wait for a payment. */
export async function noticeRoutes(app: FastifyInstance) {
  app.get('/notices', alsoAScreen(SliceNotices), async (request, reply) => {
    const { cursor, ...slice } = inputOf(SliceNotices, request)
    const page = await listNotices(requireExporter(request.context), { ...slice, after: cursor, skip: 0 })
    linkNext({ request, reply }, page)
    const { rows, total, amount } = page
    return { rows, total, amount }
  })

  app.get('/notices/incomplete', takes(SliceIncompleteNotices), async (request, reply) => {
    const { cursor, limit } = inputOf(SliceIncompleteNotices, request)
    const page = await listIncompleteNotices(requireExporter(request.context), { limit, after: cursor, skip: 0 })
    linkNext({ request, reply }, page)
    const { rows, total, amount } = page
    return { rows, total, amount }
  })

  app.get('/contracts/:id/notice', async (request) =>
    noticeOfContract(requireExporter(request.context), inputOf(ById, request)),
  )

  app.get('/contracts/:id/notice-letter', async (request, reply) => {
    const { name, bytes } = await getNoticeLetter(requireExporter(request.context), inputOf(ById, request))
    return sendFile(reply, { name, type: 'application/pdf', content: bytes })
  })

  app.post('/contracts/:id/notice-letter', async (request) => {
    const input = inputOf(PostNotice, request)
    await countMark(request.context)
    return asSubscriberOnce(request, (ctx) => postNotice(ctx, input), { require: requireExporter })
  })

  app.delete('/contracts/:id/notice-letter', async (request, reply) => {
    const input = inputOf(ById, request)
    await countMark(request.context)
    await asSubscriber(request.context, (ctx) => unpostNotice(ctx, input), requireExporter)
    return reply.code(204).send()
  })
}

/** Counts a mark before its transaction. @throws TOO_MANY_REQUESTS */
async function countMark(ctx: RequestContext): Promise<void> {
  await ctx.limits.take('letterMarks', requireExporter(ctx).accountId)
}
