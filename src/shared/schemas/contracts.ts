import * as z from 'zod/mini'
import { REFUSALS } from '#shared/errors.ts'
import { amount, day, Id } from './fields.ts'
import { contractStatus, LARGEST_ID, renewalCycle } from './filters.ts'

const REQUIRED = 'All fields are required'
const WHOLE = 'Customer ID must be a whole number'
const POSITIVE = 'Amount must be a positive number'

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
})

/**
 * The fields of a new contract, whether entered or imported. Defaults of optional fields belong here: in `ContractFields`
 * they would overwrite what is stored when a contract is updated.
 */
export const NewContractFields = z.object({ ...ContractFields.shape })

/** 'off': the customer gets no emails about the contract's new renewal date; 'on' undoes that. */
export const RemindersSwitch = z.object({ reminders: z.optional(z.enum(['on', 'off'], 'Reminders must be on or off')) })

export const CreateContract = z.object({ ...NewContractFields.shape, ...RemindersSwitch.shape }).check(
  z.refine((contract) => contract.renewalDate >= contract.startDate, {
    path: ['renewalDate'],
    message: REFUSALS.RENEWAL_BEFORE_START.message,
  }),
)
export type CreateContract = z.output<typeof CreateContract>

/** A field that is not sent keeps its value; the order of the dates is checked against what is stored. */
export const UpdateContract = z.object({ ...z.partial(ContractFields).shape, id: Id, ...RemindersSwitch.shape })
export type UpdateContract = z.output<typeof UpdateContract>
