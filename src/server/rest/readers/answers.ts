import type { FastifyInstance, FastifyReply } from 'fastify'
import { ANSWER_CHOICES, type AnswerChoice } from '#shared/domain/customer-answer.ts'
import type { AppError } from '#shared/errors.ts'
import { EnteredAnswer } from '#shared/schemas/answers.ts'
import type { RequestContext } from '#server/context.ts'
import { openAnswerPage, openAnswerPdf } from '#server/customer-answers/answer-page.service.ts'
import type { OpenedPage } from '#server/customer-answers/answer-shown.ts'
import { shownAt } from '#server/customer-answers/answer-token.ts'
import { giveAnswer } from '#server/customer-answers/give-answer.service.ts'
import type { OpenPdf } from '#server/files/files.service.ts'
import { dateText } from '#server/mail/formats.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { inlineAs } from '#server/rest/answers/downloads.ts'
import { refusalOf, statusOf } from '#server/rest/answers/errors.ts'
import { FILES_POLICY } from '#server/security/content-policies.ts'
import type { Entered } from './answer-fields.ts'
import { choicePage, overviewPage, type ShownPage } from './answer-page.ts'
import { ANSWER_STYLE } from './answer-style.ts'
import { acceptForms, isBusy, readerPages, refusedPage, sendDocument, sendPage } from './reader-pages.ts'

interface Link {
  Params: { token: string }
  Body: unknown
}

const LONGEST_FORM = 32 * 1024

/** The pages behind the link in reminders, on which a customer answers without signing in. */
export async function answerRoutes(
  app: FastifyInstance,
  { limits, ...shared }: Pick<RequestContext, 'db' | 'limits' | 'services'>,
) {
  acceptForms(app, LONGEST_FORM)
  readerPages(app, limits)
  const ctx = { ...shared, limits }

  // Where the button in a preview leads.
  app.get('/answer/example', async (_request, reply) =>
    sendPage(reply, {
      title: 'Your customers answer here',
      texts: [
        'In the message that a customer gets, this button leads to a page with the contract and three answers: renew, ask for a change, or do not renew.',
      ],
    }),
  )

  app.get<Link>('/answer/:token', async ({ params: { token } }, reply) =>
    send(reply, overviewPage(token, await openAnswerPage(ctx, token))),
  )

  for (const choice of ANSWER_CHOICES) {
    app.get<Link>(`/answer/:token/${choice}`, async ({ params: { token } }, reply) => {
      const page = await openAnswerPage(ctx, token)
      return send(reply, isPossible(page, choice) ? choicePage(token, page, { choice }) : overviewPage(token, page))
    })
  }

  app.post<Link>('/answer/:token', async ({ params: { token }, body, ip }, reply) => {
    const form = fieldsOf(body)
    try {
      return await takeAnswer(ctx, reply, { token, form, address: ip })
    } catch (error) {
      const refusal = error instanceof Error ? refusalOf(error) : undefined
      const said = refusal && againText(refusal)
      if (!refusal || said === undefined) throw error
      return sendAgain(reply, { token, form, refusal, said })
    }
  })

  app.get<Link>('/answer/:token/pdf', async ({ params: { token } }, reply) => {
    const pdf = await openAnswerPdf(ctx, token)
    return reply
      .type('application/pdf')
      .headers(headersOf(pdf))
      .send(await pdf.read())
  })
}

/** Shows what has come of it. @throws what keeps the page from being shown as well */
async function takeAnswer(
  ctx: Parameters<typeof giveAnswer>[0],
  reply: FastifyReply,
  { token, form, address }: Posted,
): Promise<FastifyReply> {
  const entered = EnteredAnswer.safeParse(form)
  const wrong = entered.success ? await wrongIn(ctx, token, entered.data) : wrongFields(entered.error.issues)
  if (!entered.success || wrong) return sendWrong(reply, { token, form, wrong, page: await openAnswerPage(ctx, token) })
  const sent = { entered: entered.data, pageToken: form['page'] ?? '', address }
  const refusal = await shownRefusal(giveAnswer(ctx, token, sent))
  const { choice } = entered.data
  if (refusal) return answerRefusal(reply, { token, choice, form, refusal, page: await openAnswerPage(ctx, token) })
  return backTo(reply, token)
}

function headersOf({ fileName, size }: OpenPdf) {
  return {
    'content-disposition': inlineAs(fileName),
    'content-security-policy': FILES_POLICY,
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    'content-length': size,
  }
}

const BUSY = 'Your answer was not taken yet, because this page is very busy. Please send it again in a few seconds.'
const STALE = 'Your answer was not taken, because something has changed in the meantime. Please look again.'

function backTo(reply: FastifyReply, token: string) {
  return reply.header('referrer-policy', 'no-referrer').redirect(`/answer/${token}`, 303)
}

function send(reply: FastifyReply, { title, main }: ShownPage) {
  return sendDocument(reply, { title, main, style: ANSWER_STYLE })
}

/** The same answer has been taken since the page was shown: the form was sent twice. */
function isTaken({ answer, isOwn }: OpenedPage, choice: AnswerChoice, pageToken: string): boolean {
  const at = shownAt(pageToken)
  return isOwn && answer?.choice === choice && at !== undefined && answer.answeredAt >= at
}

function isPossible({ answer, canChange, obstacle, effects }: OpenedPage, choice: AnswerChoice): boolean {
  return !obstacle && (!answer || canChange) && effects[choice] !== 'too_late'
}

/** Whatever was posted, as text. */
function fieldsOf(body: unknown): Partial<Record<string, string>> {
  return Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]))
}

/** What is wrong with an answer, by field; undefined if nothing. */
async function wrongIn(ctx: Parameters<typeof openAnswerPage>[0], token: string, entered: EnteredAnswer) {
  const { choice, words, wishedAmount, wishedDate, reason } = entered
  if (choice === 'end' && reason === undefined) return { reason: 'Please choose a reason' }
  if (choice !== 'change') return undefined
  const isEmpty = words === undefined && wishedAmount === undefined && wishedDate === undefined
  if (isEmpty) return { words: 'Please say what should change' }
  if (wishedDate === undefined) return undefined
  const { renewalDate } = (await openAnswerPage(ctx, token)).contract
  return wishedDate > renewalDate ? undefined : { wishedDate: `Choose a day after ${dateText(renewalDate)}` }
}

function wrongFields(issues: readonly { path: readonly PropertyKey[]; message: string }[]): Record<string, string> {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}

function enteredOf(form: Partial<Record<string, string>>, wrong: Entered['wrong']): Entered {
  const { words = '', wishedAmount = '', wishedDate = '', reason = '' } = form
  return { values: { words, wishedAmount, wishedDate, reason }, wrong }
}

const SHOWN_ON_PAGE = new Set<string>(['ANSWER_PAGE_STALE', 'ANSWER_NOT_POSSIBLE', 'END_REASON_UNKNOWN'])

/** The refusal of an answer that its page explains; undefined if it was taken. @throws any other */
async function shownRefusal(given: Promise<void>): Promise<AppError | undefined> {
  try {
    await given
    return undefined
  } catch (error) {
    const refusal = error instanceof Error ? refusalOf(error) : undefined
    if (refusal && (SHOWN_ON_PAGE.has(refusal.key) || isBusy(refusal))) return refusal
    throw error
  }
}

interface Form {
  token: string
  form: Partial<Record<string, string>>
}

interface Posted extends Form {
  /** The network address that it comes from. */
  address: string
}

interface Sent extends Form {
  page: OpenedPage
}

/** Keeps what was entered where its page cannot be shown. */
function sendAgain(reply: FastifyReply, { token, form, refusal, said }: Form & { refusal: AppError; said: string }) {
  reply.code(statusOf(refusal)).headers(waitHeaders(refusal))
  const kept = FIELDS.flatMap((name) => (form[name] === undefined ? [] : [[name, form[name]]]))
  return sendPage(reply, {
    title: refusedPage(refusal).title,
    texts: [said],
    form: { action: `/answer/${token}`, button: 'Send Again', hidden: Object.fromEntries(kept) },
  })
}

/** When an answer can be sent again; undefined where that would be refused as well. */
function againText(refusal: AppError): string | undefined {
  if (isBusy(refusal)) return 'Your answer was not taken yet. Please send it again in a few seconds.'
  if (refusal.key === 'TOO_MANY_REQUESTS') return 'Your answer was not taken yet. Please send it again then.'
  return refusal.key === 'WRITE_UNCLEAR' ? 'Please send your answer again. It counts only once.' : undefined
}

/** Of the form on a page for answering. */
const FIELDS = ['choice', 'page', 'words', 'wishedAmount', 'wishedDate', 'reason']

/** Shows the form again with what is wrong in it, where its answer is still possible. */
function sendWrong(
  reply: FastifyReply,
  { token, page, form, wrong = {} }: Sent & { wrong: Entered['wrong'] | undefined },
) {
  const choice = ANSWER_CHOICES.find((one) => one === form['choice'])
  if (!choice || !isPossible(page, choice)) return send(reply.code(409), overviewPage(token, page, STALE))
  return send(reply.code(400), choicePage(token, page, { choice, entered: enteredOf(form, wrong) }))
}

interface Refused extends Sent {
  choice: AnswerChoice
  refusal: AppError
}

/** Nothing that was entered is lost where the answer can be sent again. */
function answerRefusal(reply: FastifyReply, { token, page, choice, form, refusal }: Refused) {
  const { key } = refusal
  if (key === 'ANSWER_PAGE_STALE' && isTaken(page, choice, form['page'] ?? '')) return backTo(reply, token)
  if (!isPossible(page, choice)) return send(reply.code(409), overviewPage(token, page, STALE))
  const again = key === 'END_REASON_UNKNOWN' ? { reason: 'Please choose a reason' } : { page: STALE }
  const wrong = isBusy(refusal) ? { page: BUSY } : again
  reply.code(statusOf(refusal)).headers(waitHeaders(refusal))
  return send(reply, choicePage(token, page, { choice, entered: enteredOf(form, wrong) }))
}
