import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { $ZodError } from 'zod/v4/core'
import { supportPriorityOf } from '#shared/domain/access.ts'
import { AppError, REFUSALS } from '#shared/errors.ts'
import { ContactMessage } from '#shared/schemas/contact.ts'
import type { ServerDependencies } from '#server/http/request-context.ts'
import { subscriptionsOfAddress } from '#server/identity/subscription.rows.ts'
import { addressKey } from '#server/limits/address-key.ts'
import { countRequests } from '#server/limits/count-requests.ts'
import type { Limits } from '#server/limits/limits.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { sendContactMessage } from './contact-message.ts'
import { statusOf } from '#server/rest/answers/errors.ts'
import { fieldsOf } from '#server/trpc.ts'
import { HTML } from './built-pages.ts'
import type { Pages } from './built-pages.ts'
import { BLANK, contactForm, contactSent, TRAP } from './contact-form.ts'
import { visitorOf } from './page-visitor.ts'
import { pageSender, wholePages } from './whole-page.ts'

interface ContactOptions extends ServerDependencies {
  pages: Pages
  origins: string[]
}

type FormRequest = FastifyRequest<{ Body: URLSearchParams }>

const FORM_PLACEHOLDER = '<div data-contact-form=""></div>'
// More than the longest message, when every character of it takes nine.
const LONGEST_FORM = 65_536

/** The contact page: a form that needs no script, and answers with the same page. */
export async function contactRoutes(app: FastifyInstance, options: ContactOptions) {
  const { pages, origins, services, limits } = options
  const [origin = ''] = origins
  const whole = wholePages(origin, services)
  const send = pageSender(whole, pages)
  const pageFor = async (reply: FastifyReply) => {
    const { isSignedIn } = await visitorOf(reply, options)
    return pages.text(isSignedIn ? 'contact-member.html' : 'contact.html', reply.request.url)
  }
  /** Never cached: it contains what was typed. */
  const sendFilled = async (reply: FastifyReply, content: string) => {
    const page = whole(await pageFor(reply))
    return reply.type(HTML).header('cache-control', 'no-store').allowStyle(pages.styleHash).send(filled(page, content))
  }
  readForms(app)
  // With no referrer at all a browser would not say either where a form comes from.
  app.addHook('onRequest', async (_request, reply) => void reply.header('referrer-policy', 'same-origin'))
  app.setErrorHandler((error: FastifyError, request: FormRequest, reply) => {
    const { status, ...shown } = whatWentWrong(error)
    if (status >= 500) request.log.error({ err: error }, 'a contact form message was not sent')
    const isOurs = comesFrom(request, origins)
    if (error instanceof AppError) reply.headers(waitHeaders(error))
    return sendFilled(reply.code(status), contactForm({ ...shown, typed: isOurs ? typedIn(request) : BLANK.typed }))
  })

  countRequests(app, limits)

  app.get('/contact', async (_request, reply) =>
    send(reply.type(HTML), filled(await pageFor(reply), contactForm(BLANK))),
  )

  app.post('/contact', { bodyLimit: LONGEST_FORM }, async (request: FormRequest, reply) => {
    if (!comesFrom(request, origins)) throw new AppError('CONTACT_FROM_ELSEWHERE')
    const message = ContactMessage.parse(typedIn(request))
    // A bot gets the same response as a person.
    if (request.body.get(TRAP)) return sendFilled(reply, contactSent(message))
    await countMessage(limits, request)
    await sendContactMessage(services, message, await priorityOf(options, message))
    return sendFilled(reply, contactSent(message))
  })
}

/** By the address that was typed: it decides what is answered first, and opens nothing. */
async function priorityOf({ db, services }: ContactOptions, { email }: ContactMessage) {
  return supportPriorityOf(await subscriptionsOfAddress(db.as('traxx').system, email), services.billingNow())
}

/** Beyond the limit, the email address below the form still works. @throws CONTACT_TOO_OFTEN */
async function countMessage(limits: Limits, { ip }: FormRequest) {
  try {
    await limits.take('contact', addressKey(ip))
    await limits.take('contactOfAll', '')
  } catch (error) {
    throw error instanceof AppError ? new AppError('CONTACT_TOO_OFTEN', { wait: error.wait, cause: error }) : error
  }
}

function readForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
}

/** Whether one of our own pages sends this. */
function comesFrom({ headers }: FormRequest, origins: string[]): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? origins.includes(headers.origin ?? '') : site === 'same-origin'
}

function typedIn({ body }: FormRequest): typeof BLANK.typed {
  const typed = (field: string) => (body instanceof URLSearchParams ? (body.get(field) ?? '') : '')
  return { name: typed('name'), email: typed('email'), message: typed('message') }
}

function whatWentWrong(error: FastifyError) {
  if (error instanceof $ZodError) return { status: 400, wrong: fieldsOf(error) ?? {} }
  if (error instanceof AppError) return { status: statusOf(error), wrong: {}, failure: error.message }
  const { statusCode: status = 500 } = error
  if (status >= 500) return { status, wrong: {}, failure: REFUSALS.FAULT.message }
  return { status, wrong: {}, failure: REFUSALS[status === 413 ? 'BODY_TOO_LARGE' : 'INPUT_INVALID'].message }
}

function filled(page: string, content: string): string {
  return page.replace(FORM_PLACEHOLDER, () => content)
}
