import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'
import { getUnsubscription, unsubscribe } from '#server/reminders/unsubscribe.service.ts'

interface Link {
  Params: { token: string }
}

/** Where the link in customers' e-mails leads: a page that asks, and the button that a mail program may press too. */
export async function unsubscribeRoutes(app: FastifyInstance, { db }: Pick<RequestContext, 'db'>) {
  // Whatever a form or a mail program sends along is not needed.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof AppError) return sendPage(reply.code(404), { title: error.message, text: NOT_VALID })
    request.log.error({ err: error }, 'fault')
    return sendPage(reply.code(500), { title: 'Something went wrong', text: 'Please try again in a few minutes.' })
  })

  app.get<Link>('/unsubscribe/:token', async ({ params }, reply) => {
    const { sender, isActive } = await getUnsubscription({ db }, params.token)
    return sendPage(reply, isActive ? asking(sender) : done(sender))
  })

  app.post<Link>('/unsubscribe/:token', async ({ params }, reply) => {
    const { sender } = await unsubscribe({ db }, params.token)
    return sendPage(reply, done(sender))
  })
}

interface Page {
  title: string
  text: string
  /** The label of the one button. */
  button?: string
}

const NOT_VALID = 'Please use the link of the latest message, or write to whoever sent it.'

function asking(sender: string): Page {
  const text = `You will not get any more emails from ${sender} about the renewal of your contracts.`
  return { title: 'Stop these reminders?', text, button: 'Unsubscribe' }
}

function done(sender: string): Page {
  return { title: 'You are unsubscribed', text: `No more reminders from ${sender} are sent to you.` }
}

function sendPage(reply: FastifyReply, { title, text, button }: Page) {
  const form = button && `<form method="post"><button>${escapeHtml(button)}</button></form>`
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form ?? ''}</main></body></html>`)
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.6 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0;background:light-dark(#f7f8fa,#14171e);color:light-dark(#171a21,#d5d9e2)}
main{max-width:30rem;margin:12vh auto 0;padding:2rem;text-align:center}
h1{margin:0;font-size:1.5rem}
button{padding:.7rem 1.5rem;border:0;border-radius:.5rem;background:#2f46dd;color:#fff;font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:2px solid #2f46dd;outline-offset:2px}`
