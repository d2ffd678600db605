import { z } from 'zod'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { CONTRACT_SORTS } from '#shared/domain/lists.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { REFUSALS } from '#shared/errors.ts'
import { amount, choice, day, flag, Id, oneOf } from './fields.ts'
import { Page, SearchText, Slice, SortDirection } from './lists.ts'

const REQUIRED = 'All fields are required'
const STATUS = { required: REQUIRED, other: 'Status must be pending, active, expired or cancelled' }
const CYCLE = { required: REQUIRED, other: 'Cycle must be monthly, quarterly or yearly' }
const POSITIVE = 'Amount must be a positive number'

/** What the contracts page keeps in its address. No sort means the order in which contracts were added. */
export const ContractFilter = z.object({
  search: SearchText,
  status: choice(CONTRACT_STATUSES, STATUS).optional(),
  cycle: choice(RENEWAL_CYCLES, CYCLE).optional(),
  expiring: flag().optional(),
  sort: oneOf(CONTRACT_SORTS).optional(),
  direction: SortDirection.default('asc'),
})
export type ContractFilter = z.output<typeof ContractFilter>

export const ListContracts = ContractFilter.extend(Page.shape)
export type ListContracts = z.output<typeof ListContracts>

export const SliceContracts = ContractFilter.extend(Slice.shape)

/** What a contract is made of; an import names its customer in other words. */
export const ContractFields = z.object({
  customerId: z.int(REQUIRED).min(1, REQUIRED).max(2_147_483_647, REQUIRED),
  amount: amount(REQUIRED, POSITIVE),
  startDate: day(REQUIRED),
  renewalCycle: choice(RENEWAL_CYCLES, CYCLE),
  renewalDate: day(REQUIRED),
  status: choice(CONTRACT_STATUSES, STATUS),
})

/** 'off': the customer is not written to about the renewal date that the contract has then; 'on' undoes that. */
const RemindersSwitch = z.object({ reminders: z.enum(['on', 'off'], 'Reminders must be on or off').optional() })

export const CreateContract = ContractFields.extend(RemindersSwitch.shape).refine(
  (contract) => contract.renewalDate >= contract.startDate,
  {
    path: ['renewalDate'],
    message: REFUSALS.RENEWAL_BEFORE_START.message,
  },
)
export type CreateContract = z.output<typeof CreateContract>

/** A field that is not sent keeps its value; the order of the dates is checked against what is stored. */
export const UpdateContract = ContractFields.partial().extend({ id: Id, ...RemindersSwitch.shape })
export type UpdateContract = z.output<typeof UpdateContract>
