import { LockMode } from '@mikro-orm/core'
import type { SubscriberContext } from '#server/context.ts'
import { CompanyEntity } from './company.entity.ts'

/** The account's company, added if there is none, and locked until the transaction ends. */
export async function lockedCompany({ em, accountId }: Pick<SubscriberContext, 'em' | 'accountId'>) {
  await em.upsert(CompanyEntity, { accountId }, { onConflictAction: 'ignore' })
  return em.findOneOrFail(CompanyEntity, { accountId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}
