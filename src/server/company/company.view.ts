import sql from 'sql-template-tag'
import { z } from 'zod'
import { usableCompanyName } from '#shared/domain/company-name.ts'

/** An account's company. */
export const Company = z.object({
  /** As customers read it; null if there is no usable one. */
  name: z.string().nullable(),
  /** Where customers' replies go, once confirmed; null is the account's own address. */
  replyTo: z.string().nullable(),
  isReplyToConfirmed: z.boolean(),
  postalAddress: z.string().nullable(),
  logoPath: z.string().nullable(),
})
export type Company = z.output<typeof Company>

/** A Company as it is stored, as JSON, from companies `co` of accounts `a`. The account's own address needs no code. */
export const COMPANY_JSON = sql`
  json_build_object('name', co.name, 'replyTo', co.reply_to,
    'isReplyToConfirmed', co.reply_to is null or co.reply_to_confirmed_at is not null
      or lower(co.reply_to) = lower(a.email),
    'postalAddress', co.postal_address, 'logoPath', co.logo_path)`

/** Names stored before there were rules are made safe. */
export function companyOf(stored: Company): Company {
  return { ...stored, name: usableCompanyName(stored.name) }
}

/** The public path of the logo, with a name that cannot be guessed. */
export function logoAddress(logoPath: string): string {
  return `/logos/${logoPath.slice(logoPath.lastIndexOf('/') + 1)}`
}
