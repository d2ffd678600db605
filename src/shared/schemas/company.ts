import * as z from 'zod/mini'
import { companyNameFault, type CompanyNameFault } from '#shared/domain/company-name.ts'
import { hasLink, isVisible } from '#shared/domain/plain-text.ts'
import { emailOrNone, textOrNone, visibleOrNone } from './fields.ts'
import { text } from './filters.ts'

/** The most characters in each field. */
export const COMPANY_LENGTHS = { name: 100, replyTo: 254, postalAddress: 300 }

const NAME_REQUIRED = 'Enter your company name'
const NO_LINKS = 'Must not contain an email or web address, or two backslashes in a row'
const NAME_FAULTS: Record<CompanyNameFault, string> = {
  invisible: 'Must be on one line, without invisible characters',
  address: `${NO_LINKS}. Type a space after a period`,
  encoded: 'Must not contain "=?"',
  ours: 'Must be the name of your own company, not one that looks like TRAXX',
}

/** What customers see as the sender of an account's messages. */
export const CompanyName = z
  .pipe(z.string(NAME_REQUIRED), text(COMPANY_LENGTHS.name).check(z.refine(isVisible, NAME_REQUIRED)))
  .check(
    z.superRefine((name, ctx) => {
      const fault = isVisible(name) ? companyNameFault(name) : undefined
      if (fault) ctx.addIssue({ code: 'custom', message: NAME_FAULTS[fault] })
    }),
  )

/** Where customers' replies go; null is the account's own address. */
export const ReplyTo = emailOrNone(COMPANY_LENGTHS.replyTo)

const PostalAddress = z.pipe(textOrNone(COMPANY_LENGTHS.postalAddress), z.transform(visibleOrNone)).check(
  z.refine((value) => value === null || value.split('\n').length <= 6, 'Must be at most 6 lines'),
  z.refine((value) => value === null || !hasLink(value), NO_LINKS),
)

/** A field that is not sent keeps its value. The name may be sent as null, as it is returned while there is none. */
export const UpdateCompany = z.object({
  name: z.optional(z.nullable(CompanyName)),
  replyTo: z.optional(ReplyTo),
  postalAddress: z.optional(PostalAddress),
})
export type UpdateCompany = z.output<typeof UpdateCompany>

/** The digits of the code that is emailed to a reply-to address. */
export const REPLY_TO_CODE_DIGITS = 6

export const ConfirmReplyTo = z.object({
  code: z.string('Enter the code').check(z.trim(), z.regex(/^\d{6}$/, `Enter the ${REPLY_TO_CODE_DIGITS}-digit code`)),
})
export type ConfirmReplyTo = z.output<typeof ConfirmReplyTo>
