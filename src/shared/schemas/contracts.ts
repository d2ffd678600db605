import * as z from 'zod/mini'
import { REFUSALS } from '#shared/errors.ts'
import { noticePeriodText, parseNoticePeriod } from '#shared/domain/notice-period.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { amount, day, Id, SeenVersion, spaced, spacedOrNone } from './fields.ts'
import { tags } from './tags.ts'
import { contractStatus, LARGEST_ID, oneOf, renewalCycle } from './filters.ts'

const REQUIRED = 'All fields are required'
const WHOLE = 'Customer ID must be a whole number'
const POSITIVE = 'Amount must be a positive number'

const NOTICE = 'Notice must be like 30 days or 3 months, at most 365 days or 24 months'

/** The fields of a contract. In an import, a row names its customer instead of giving an ID. */
const ContractFields = z.object({
  customerId: z
    .int({ error: ({ input }) => (input ? WHOLE : REQUIRED) })
    .check(z.minimum(1, REQUIRED), z.maximum(LARGEST_ID, REQUIRED)),
  amount: amount(REQUIRED, POSITIVE),
  startDate: day(REQUIRED),
  renewalCycle: renewalCycle(REQUIRED),
  renewalDate: day(REQUIRED),
  status: contractStatus(REQUIRED),
  title: spacedOrNone(200),
  reference: spacedOrNone(100),
  renews: oneOf(RENEWS),
  noticePeriod: noticePeriod(),
  tags: tags(),
})

/** A notice period in its one spelling, where null and blank both mean "none". */
function noticePeriod() {
  const written = z.pipe(
    spaced(20),
    z.transform((text: string) => {
      const period = parseNoticePeriod(text)
      return period ? noticePeriodText(period) : text
    }),
  )
  const checked = written.check(z.refine((text) => text === '' || parseNoticePeriod(text) !== undefined, NOTICE))
  return z.pipe(
    z.nullable(checked),
    z.transform((text: string | null) => text || null),
  )
}

/**
 * The fields of a new contract, whether entered or imported. Defaults of optional fields belong here: in `ContractFields`
 * they would overwrite what is stored when a contract is updated.
 */
export const NewContractFields = z.object({
  ...ContractFields.shape,
  title: z._default(ContractFields.shape.title, null),
  reference: z._default(ContractFields.shape.reference, null),
  renews: z._default(ContractFields.shape.renews, 'by_agreement'),
  noticePeriod: z._default(ContractFields.shape.noticePeriod, null),
  tags: z._default(ContractFields.shape.tags, []),
})

/** The same where only some are named, and the customer is known. */
export const ContractChanges = z.partial(z.omit(ContractFields, { customerId: true }))

/**
 * 'off': the customer gets no emails about the renewal date that the contract has once it is saved, which is the next one if
 * it is then renewed by itself; 'on' undoes that.
 */
export const RemindersSwitch = z.object({ reminders: z.optional(z.enum(['on', 'off'], 'Reminders must be on or off')) })

export const CreateContract = z
  .object({
    ...NewContractFields.shape,
    ...RemindersSwitch.shape,
  })
  .check(
    z.refine((contract) => contract.renewalDate >= contract.startDate, {
      path: ['renewalDate'],
      message: REFUSALS.RENEWAL_BEFORE_START.message,
    }),
  )
export type CreateContract = z.output<typeof CreateContract>

/** What is scheduled for the next term; null: it stays the same. */
const ScheduledChange = z.object({
  nextAmount: z.optional(z.nullable(amount(POSITIVE, POSITIVE))),
  nextCycle: z.optional(z.nullable(renewalCycle())),
})

/** A field that is not sent keeps its value; the order of the dates is checked against what is stored. */
export const UpdateContract = z.object({
  ...z.partial(ContractFields).shape,
  ...ScheduledChange.shape,
  id: Id,
  ...RemindersSwitch.shape,
})
export type UpdateContract = z.output<typeof UpdateContract>

export const EditContract = z.object({ ...UpdateContract.shape, ...SeenVersion.shape })
