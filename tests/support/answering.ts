import type { FastifyInstance } from 'fastify'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import type { AnswerSettings } from '#shared/schemas/answers.ts'
import { ListAnswers } from '#shared/schemas/answers.ts'
import { saveAnswerSettings } from '#server/customer-answers/answer-settings.service.ts'
import { listAnswers } from '#server/customer-answers/answers.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { aMailbox } from './mailbox.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, type World } from './world.ts'

export const LINK = /http:\/\/localhost:3000(\/answer\/\S+)/
export const PAGE = /name="page" value="([^"]+)"/

interface Server {
  readonly app: FastifyInstance
}

/** A contract whose customer has a link, from a reminder by hand, and answers as a browser does. */
export async function anAnswerable(world: World, server: Server, settings: Partial<AnswerSettings> = {}) {
  const { mailer, received } = aMailbox()
  const request = await anAccount(world, { services: { mailer } })
  await asSubscriber(request, (ctx) => saveAnswerSettings(ctx, { ...DEFAULT_ANSWERS, ...settings }))
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, {
    customerId,
    title: 'Web hosting',
    reference: 'H-7',
    amount: 1200,
    renewalCycle: 'yearly',
    startDate: '2025-04-01',
    renewalDate: '2026-04-01',
  })
  await sendReminder(request, contract)
  const [link = ''] = received.flatMap(({ text }) => LINK.exec(text)?.[1] ?? [])
  return {
    request,
    contract,
    link,
    answer: (choice: string, fields: Record<string, string> = {}) => answer(server, link, { ...fields, choice }),
    /** The newest first. */
    answers: async () => (await listAnswers(requireReader(request), ListAnswers.parse({}))).rows,
  }
}

/** Opens one of the three answers, fills in its form, and sends it. */
export async function answer(server: Server, link: string, fields: Record<string, string> & { choice: string }) {
  const { body } = await server.app.inject({ url: `${link}/${fields.choice}` })
  return postAnswer(server, link, { page: PAGE.exec(body)?.[1] ?? '', ...fields })
}

export function postAnswer({ app }: Server, link: string, fields: Record<string, string>) {
  return app.inject({
    method: 'POST',
    url: link,
    remoteAddress: '203.0.113.77',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}
