import type { FastifyInstance } from 'fastify'
import type { RequestContext } from '#server/context.ts'
import { readReader, type Reader } from '#server/deliverability/reader-keys.ts'
import { resubscribe, unsubscribe } from '#server/deliverability/unsubscribe.service.ts'
import { acceptAnyContentType, readerPages, sendPage, type ReaderPage } from './reader-pages.ts'

interface Link {
  Params: { token: string }
}

/** The pages behind the unsubscribe link in customers' emails; mail programs post to it as well (RFC 8058). */
export async function unsubscribeRoutes(
  app: FastifyInstance,
  { limits, ...ctx }: Pick<RequestContext, 'db' | 'limits' | 'services'>,
) {
  acceptAnyContentType(app)
  // Bodies of forms and mail programs are not needed.
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

  // For a reader who reloads the page after pressing the button.
  app.get<Link>('/unsubscribe/:token/undo', async ({ params: { token } }, reply) =>
    sendPage(reply, show(token, await readReader(ctx, token))),
  )

  app.post<Link>('/unsubscribe/:token/undo', async ({ params: { token } }, reply) => {
    const { sender } = await resubscribe({ ...ctx, limits }, token)
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

/** Older links do not name a message; the account knows them too, so they cannot undo it. */
export function closedPage(token: string, { sender, message }: Reader): ReaderPage {
  return {
    title: 'You are unsubscribed',
    texts: [`You will not get any more reminders from ${sender}.`],
    ...(message && {
      form: { action: `/unsubscribe/${token}/undo`, button: 'Get these messages again', isQuiet: true },
    }),
  }
}
