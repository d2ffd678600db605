import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply } from 'fastify'
import type { Services } from '#server/context.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'
import { NONCE, type Pages } from './built-pages.ts'

const COUNT = new Intl.NumberFormat('en-US')

/** Fills the operator's settings into a page without scripts. */
export type WholePage = (text: string) => string

export function wholePages(
  origin: string,
  { contactMail, storage, mailLimits }: Pick<Services, 'contactMail' | 'storage' | 'mailLimits'>,
): WholePage {
  const address = escapeHtml(contactMail)
  return (text) =>
    text
      .replaceAll('__ORIGIN__', origin)
      .replaceAll('__CONTACT_MAIL__', () => address)
      .replaceAll('__KEPT_DAYS__', String(storage.keptDays.endedAccounts))
      .replaceAll('__MOST_RECORDS__', COUNT.format(storage.quotas.customersAndContracts))
      .replaceAll('__MAILS_A_DAY__', COUNT.format(mailLimits.ofPaying))
      .replaceAll('__MAILS_A_DAY_IN_TRIAL__', COUNT.format(mailLimits.ofTrial))
      .replaceAll(` nonce="${NONCE}"`, '')
}

/** Sends such pages, compressed once each: only those of which there are few. */
export function pageSender(whole: WholePage, { styleHash }: Pick<Pages, 'styleHash'>) {
  const compress = promisify(brotliCompress)
  const compressed = new Map<string, Promise<Buffer>>()
  return async (reply: FastifyReply, text: string) => {
    const page = whole(text)
    reply.header('cache-control', 'no-cache').allowStyle(styleHash)
    if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (negotiate(reply.request.headers['accept-encoding'] ?? '', ['br']) !== 'br') return reply.send(page)
    const bytes = compressed.get(page) ?? compress(page)
    compressed.set(page, bytes)
    return reply.header('content-encoding', 'br').send(await bytes)
  }
}
