import type { FastifyInstance } from 'fastify'
import { REPORT_REASONS, Report } from '#shared/schemas/reports.ts'
import type { RequestContext } from '#server/context.ts'
import { addressKey } from '#server/limits/address-key.ts'
import { getReported, reportMessage, type Reported } from '#server/deliverability/complaints.service.ts'
import { acceptForms, readerPages, sendPage, type ReaderPage } from './reader-pages.ts'

interface Link {
  Params: { token: string }
  Body: unknown
}

const LONGEST_FORM = 1024
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** The page on which the reader of a customer's email reports it. */
export async function reportRoutes(
  app: FastifyInstance,
  { limits, ...shared }: Pick<RequestContext, 'db' | 'limits' | 'services'>,
) {
  acceptForms(app, LONGEST_FORM)
  readerPages(app, limits)

  app.get<Link>('/report/:token', async ({ params: { token } }, reply) =>
    sendPage(reply, askingPage(token, await getReported(shared, token))),
  )

  app.post<Link>('/report/:token', async ({ params: { token }, body, ip, log }, reply) => {
    const report = Report.safeParse(body)
    if (!report.success) {
      const page = askingPage(token, await getReported(shared, token))
      return sendPage(reply.code(400), { ...page, title: 'Please choose a reason' })
    }
    await limits.take('reports', addressKey(ip))
    const { sender } = await reportMessage({ ...shared, log }, token, report.data)
    return sendPage(reply, {
      title: 'Thank you for your report',
      texts: [`We review every report. You will not get any more messages from ${sender}.`],
      form: { action: `/unsubscribe/${token}/undo`, button: 'Get these messages again', isQuiet: true },
    })
  })
}

function askingPage(token: string, { sender, message: { subject, sentAt } }: Reported): ReaderPage {
  const sent = sentAt === null ? '' : ` on ${day.format(sentAt)}`
  return {
    title: 'Report this message',
    texts: [
      `"${subject}" was sent to you${sent} by TRAXX, on behalf of ${sender}.`,
      'If you report it, we will review it, and you will not get any more messages from this sender.',
    ],
    form: {
      action: `/report/${token}`,
      button: 'Report',
      choice: { name: 'reason', legend: 'What is wrong with it?', options: REPORT_REASONS },
    },
  }
}
