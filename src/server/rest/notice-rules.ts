import type { FastifyInstance } from 'fastify'
import { ById } from '#shared/schemas/fields.ts'
import { AdoptNoticeRule, ChangeNoticeRule, ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { asSubscriber, requireReader } from '#server/context.ts'
import {
  chooseNoticeRule,
  noticeChoiceOfCustomer,
  noticeWindowOfContract,
} from '#server/notice-rules/notice-choices.service.ts'
import {
  adoptNoticeRule,
  changeNoticeRule,
  listNoticeRules,
  makeNoticeRule,
  removeNoticeRule,
} from '#server/notice-rules/notice-rules.service.ts'
import type { NoticeRuleView } from '#server/notice-rules/notice-rule.view.ts'
import { inputOf } from './input.ts'
import { asSubscriberOnce } from './once.ts'

/** Fields of a rule in responses that no request can change. */
const READ_ONLY = Object.keys({
  preset: 1,
  citation: 1,
  readOn: 1,
  how: 1,
  requiredMail: 1,
  days: 1,
  consequence: 1,
} satisfies Record<Exclude<keyof NoticeRuleView, keyof ChangeNoticeRule>, 1>)

export async function noticeRuleRoutes(app: FastifyInstance) {
  app.get('/notice-rules', async (request) => listNoticeRules(requireReader(request.context)))

  app.get('/contracts/:id/notice-window', async (request) =>
    noticeWindowOfContract(requireReader(request.context), inputOf(ById, request)),
  )

  app.get('/customers/:id/notice-rule', async (request) =>
    noticeChoiceOfCustomer(requireReader(request.context), inputOf(ById, request)),
  )

  app.post('/notice-rules', async (request, reply) => {
    const input = inputOf(MakeNoticeRule, request)
    const rule = await asSubscriberOnce(request, (ctx) => makeNoticeRule(ctx, input))
    return reply.code(201).send(rule)
  })

  app.post('/notice-rules/adopt', async (request, reply) => {
    const input = inputOf(AdoptNoticeRule, request)
    const rule = await asSubscriberOnce(request, (ctx) => adoptNoticeRule(ctx, input))
    return reply.code(201).send(rule)
  })

  app.put('/notice-rules/chosen', async (request) => {
    const input = inputOf(ChooseNoticeRule, request)
    return asSubscriber(request.context, (ctx) => chooseNoticeRule(ctx, input))
  })

  app.put('/notice-rules/:id', async (request) => {
    const input = inputOf(ChangeNoticeRule, request, READ_ONLY)
    return asSubscriber(request.context, (ctx) => changeNoticeRule(ctx, input))
  })

  app.delete('/notice-rules/:id', async (request, reply) => {
    const input = inputOf(ById, request)
    await asSubscriber(request.context, (ctx) => removeNoticeRule(ctx, input))
    return reply.code(204).send()
  })
}
