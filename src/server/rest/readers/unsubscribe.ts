import type { FastifyInstance } from 'fastify'
import type { RequestContext } from '#server/context.ts'
import { readReader, type Reader } from '#server/deliverability/reader-keys.ts'
import { resubscribe, unsubscribe } from '#server/deliverability/unsubscribe.service.ts'
import { acceptAnyContentType, readerPages, sendPage, type ReaderPage } from './reader-pages.ts'

interface Link {
  Params: { token: string }
}

/** Where the link in customers' emails leads: a page that asks, and the button that a mail program may press too. */
export async function unsubscribeRoutes(
  app: FastifyInstance,
  { limits, ...ctx }: Pick<RequestContext, 'db' | 'limits' | 'services'>,
) {
  acceptAnyContentType(app)
  // Whatever a form or a mail program sends along is not needed.
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  readerPages(app, limits)

  const show: (token: string, reader: Reader) => ReaderPage = (token, reader) =>
    reader.closed ? closedPage(token, reader) : askingPage(token, reader)

  app.get<Link>('/unsubscribe/:token', async ({ params: { token } }, reply) =>
    sendPage(reply, show(token, await readReader(ctx, token))),
  )

  app.post<Link>('/unsubscribe/:token', async ({ params: { token } }, reply) =>
    sendPage(reply, closedPage(token, await unsubscribe(ctx, token))),
  )

  // Somebody loads the answer of the button again by its address.
  app.get<Link>('/unsubscribe/:token/undo', async ({ params: { token } }, reply) =>
    sendPage(reply, show(token, await readReader(ctx, token))),
  )

  app.post<Link>('/unsubscribe/:token/undo', async ({ params: { token } }, reply) => {
    const { sender } = await resubscribe(ctx, token)
    return sendPage(reply, {
      title: 'You are subscribed again',
      texts: [`You will get emails from ${sender} about your contract renewals again.`],
      form: { action: `/unsubscribe/${token}`, button: 'Unsubscribe', isQuiet: true },
    })
  })
}

function askingPage(token: string, { sender, message }: Reader): ReaderPage {
  return {
    title: 'Stop these reminders?',
    texts: [`You will no longer get emails from ${sender} about your contract renewals.`],
    form: { action: `/unsubscribe/${token}`, button: 'Unsubscribe' },
    ...(message && { link: { label: 'Report this message instead', href: `/report/${token}` } }),
  }
}

/** Older links, which the account has too, cannot undo it. */
export function closedPage(token: string, { sender, message }: Reader): ReaderPage {
  return {
    title: 'You are unsubscribed',
    texts: [`You will not get any more reminders from ${sender}.`],
    ...(message && {
      form: { action: `/unsubscribe/${token}/undo`, button: 'Get these messages again', isQuiet: true },
    }),
  }
}
