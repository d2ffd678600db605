import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppError } from '#shared/errors.ts'
import { countRequests } from '#server/limits/count-requests.ts'
import type { Limits } from '#server/limits/limits.ts'
import { waitHeaders } from '#server/limits/rate-headers.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'
import { styleHash } from '#server/security/style-hash.ts'
import { refusalOf, statusOf } from '#server/rest/answers/errors.ts'

/** A page for the recipient of a customer's email: without scripts or sign-in. */
export interface ReaderPage {
  title: string
  /** Paragraphs. */
  texts: string[]
  form?: ReaderForm
  /** Another page that may be meant. */
  link?: { label: string; href: string }
}

interface ReaderForm {
  action: string
  button: string
  /** Without color, for a button that undoes something. */
  isQuiet?: boolean
  /** What is sent with it, by field. */
  hidden?: Partial<Record<string, string>>
  choice?: { name: string; legend: string; options: Record<string, string> }
}

const NOT_VALID = 'Please use the link in the latest message, or contact the sender.'

/** Has every body read by the parser for `*`, even with a malformed content type, which Fastify would refuse. */
export function acceptAnyContentType(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['content-type']) headers['content-type'] = 'application/octet-stream'
  })
}

/** Reads every body as that of a form, whatever its content type. */
export function acceptForms(app: FastifyInstance, mostBytes: number): void {
  acceptAnyContentType(app)
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: mostBytes }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

/** Limits the requests of these pages, and answers every error with a page. */
export function readerPages(app: FastifyInstance, limits: Limits): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = refusalOf(error)
    if (refusal) {
      reply.code(statusOf(refusal)).headers(waitHeaders(refusal))
      return sendPage(reply, refusedPage(refusal))
    }
    request.log.error({ err: error }, 'fault')
    return sendPage(reply.code(500), { title: 'Something went wrong', texts: ['Please try again in a few minutes.'] })
  })
  countRequests(app, limits)
}

/** In the words of somebody who has no account and has sent nothing before. */
export function refusedPage(refusal: AppError): ReaderPage {
  if (isBusy(refusal)) return { title: 'This page is very busy', texts: ['Please try again in a few seconds.'] }
  if (refusal.key === 'WRITE_UNCLEAR')
    return { title: 'It is not known whether this was saved', texts: ['Please open the link once more to see.'] }
  const isLimit = statusOf(refusal) === 429
  return {
    title: refusal.message,
    texts: [isLimit ? 'This page was opened too many times from your network.' : NOT_VALID],
  }
}

const BUSY = new Set<string>(['TOO_MANY_AT_ONCE', 'SERVER_BUSY', 'ACCOUNT_BUSY', 'SERVER_FULL', 'DATABASE_UNAVAILABLE'])

/** Whether the same request can be taken a few seconds later: it has changed nothing. */
export function isBusy({ key }: AppError): boolean {
  return BUSY.has(key)
}

export function sendPage(reply: FastifyReply, { title, texts, form, link }: ReaderPage) {
  const paragraphs = texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
  const more = link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : ''
  const main = `<h1>${escapeHtml(title)}</h1>${paragraphs}${form ? formHtml(form) : ''}${more}`
  return sendDocument(reply, { title, main, style: STYLE })
}

interface ReaderDocument {
  title: string
  /** HTML of the main part. */
  main: string
  style: string
}

/** Sends a page that no cache keeps, no search engine lists, and whose links do not say where they were. */
export function sendDocument(reply: FastifyReply, { title, main, style }: ReaderDocument) {
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main>${main}</main></body></html>`
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow')
    .allowStyle(styleHash(style))
    .send(page)
}

function formHtml({ action, button, isQuiet, hidden = {}, choice }: ReaderForm): string {
  const kept = Object.entries(hidden).map(
    ([name, value = '']) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const label = `<button${isQuiet ? ' class="quiet"' : ''}>${escapeHtml(button)}</button>`
  return `<form method="post" action="${escapeHtml(action)}">${kept.join('')}${choice ? choiceHtml(choice) : ''}${label}</form>`
}

function choiceHtml({ name, legend, options }: NonNullable<ReaderForm['choice']>): string {
  const radios = Object.entries(options).map(
    ([value, label]) =>
      `<label><input type="radio" name="${escapeHtml(name)}" value="${escapeHtml(value)}" required> ${escapeHtml(label)}</label>`,
  )
  return `<fieldset><legend>${escapeHtml(legend)}</legend>${radios.join('')}</fieldset>`
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.6 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0;background:light-dark(#f7f8fa,#14171e);color:light-dark(#171a21,#d5d9e2)}
main{max-width:30rem;margin:12vh auto 0;padding:2rem;text-align:center;overflow-wrap:anywhere}
h1,p{text-wrap:balance}
h1{margin:0;font-size:1.5rem;line-height:1.3}
a{color:light-dark(#2f46dd,#9db0ff)}
fieldset{margin:1.5rem auto;padding:0;border:0;max-width:20rem;text-align:left}
legend{padding:0;margin-bottom:.5rem;font-weight:600}
label{display:flex;gap:.6rem;padding:.4rem 0;cursor:pointer}
input{accent-color:#2f46dd}
button{padding:.7rem 1.5rem;border:1px solid #2f46dd;border-radius:.5rem;background:#2f46dd;color:#fff;font:inherit;font-weight:600;cursor:pointer}
.quiet{background:none;border-color:light-dark(#5d6578,#8b93a7);color:inherit}
button:focus-visible,input:focus-visible,a:focus-visible{outline:2px solid light-dark(#2f46dd,#9db0ff);outline-offset:2px}`
