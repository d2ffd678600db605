import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { UpdateCompany } from '#shared/schemas/company.ts'
import type { AccountContext, SubscriberContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { withoutUndefined } from '#server/db/without-undefined.ts'
import { resumeHeldUp } from '#server/ledger/requests.ts'
import { COMPANY_JSON, Company, companyOf, logoAddress } from './company.view.ts'
import { lockedCompany } from './locked-company.ts'

export interface CompanyView extends Omit<Company, 'logoPath'> {
  /** Where the logo is shown to anybody; null without one. */
  logoPath: string | null
  /** Where replies go unless another address is confirmed. */
  ownerEmail: string
  /** Whether there are contracts other than sample data, so that messages may be waiting for the name. */
  hasContracts: boolean
}

const CompanyRow = z.object({ company: Company, ownerEmail: z.string(), hasContracts: z.boolean() })

export async function getCompany({ read, accountId }: AccountContext): Promise<CompanyView> {
  return readCompany(read, accountId)
}

/**
 * Changes the fields that were sent. A new reply-to address is used once it is confirmed. With the first name, messages
 * that have waited for one are sent.
 * @throws COMPANY_NAME_REQUIRED where a name is to be taken away
 */
export async function updateCompany(ctx: SubscriberContext, changes: UpdateCompany): Promise<CompanyView> {
  const { em, write, accountId, services } = ctx
  const { replyTo, postalAddress } = changes
  const name = changes.name ?? undefined
  const isNamed = changes.name !== undefined && (await readCompany(write, accountId)).name !== null
  if (isNamed && changes.name === null) throw new AppError('COMPANY_NAME_REQUIRED')
  // Messages are locked before the company, as the sender does, so that neither deadlocks.
  if (name !== undefined && !isNamed) await resumeHeldUp(write, { accountId, now: services.now() })
  const company = await lockedCompany(ctx)
  const isSameReplyTo = replyTo?.toLowerCase() === company.replyTo?.toLowerCase()
  if (replyTo !== undefined && !isSameReplyTo) company.replyToConfirmedAt = null
  em.assign(company, withoutUndefined({ name, replyTo, postalAddress }))
  await em.flush()
  return readCompany(write, accountId)
}

async function readCompany(read: Read, accountId: number): Promise<CompanyView> {
  const statement = sql`
    select a.email as "ownerEmail", ${COMPANY_JSON} as company,
      exists (select from contracts k where k.account_id = a.id and not exists (
        select from imports i where i.account_id = a.id and i.id = k.import_id and i.is_sample)) as "hasContracts"
    from accounts a left join companies co on co.account_id = a.id where a.id = ${accountId}`
  const [row] = await read(statement, CompanyRow)
  if (!row) throw new AppError('NOT_SIGNED_IN')
  const { ownerEmail, hasContracts, company } = row
  const { logoPath, ...rest } = companyOf(company)
  return { ...rest, logoPath: logoPath && logoAddress(logoPath), ownerEmail, hasContracts }
}
