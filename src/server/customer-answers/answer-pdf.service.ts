import { AppError } from '#shared/errors.ts'
import type { RequestContext } from '#server/context.ts'
import { openPdf, type OpenPdf } from '#server/files/files.service.ts'
import { openAnswerPage } from './answer-page.service.ts'

/**
 * The PDF of the contract that a link is about, if customers may read it.
 * @throws ANSWER_LINK_NOT_FOUND, also where they may not; PDF_NOT_FOUND, PDF_LOAD_FAILED
 */
export async function openAnswerPdf(ctx: Pick<RequestContext, 'db' | 'services'>, token: string): Promise<OpenPdf> {
  const { linked, obstacle, accountId } = await openAnswerPage(ctx, token)
  if (!linked.preferences.showsPdf || obstacle) throw new AppError('ANSWER_LINK_NOT_FOUND')
  const { services, db } = ctx
  return openPdf({ read: db.as('link').readAs(accountId), accountId, services }, linked.contract)
}
