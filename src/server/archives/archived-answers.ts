import { z } from 'zod'
import { ANSWER_CHOICES, ANSWER_STATES } from '#shared/domain/customer-answer.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { ContractAnswerSettings } from '#shared/schemas/answers.ts'
import { LARGEST_ID } from '#shared/schemas/filters.ts'
import { LONGEST_NOTE } from '#shared/schemas/renewals.ts'
import { actor, cents, cycle, day, id, instant, termNumber, text } from './archive-schemas.ts'

// What customers answered, and how they can, as archives have it.

/** Far more than a customer can give. */
const MOST_OF_TERM = 10_000

const offer = z.object({
  customerId: z.int().min(0).max(LARGEST_ID),
  termNumber,
  amountCents: cents,
  renewalCycle: cycle,
  renewalDate: day,
  renews: z.enum(RENEWS),
  noticePeriod: text(40).nullable(),
  nextAmountCents: cents.nullable(),
  nextCycle: cycle.nullable(),
})

export const ArchivedAnswerSettings = z.object({ ...ContractAnswerSettings.shape, contractId: id.nullable() })

export const ArchivedAnswer = z
  .object({
    contractId: id.nullable(),
    customerId: id.nullable(),
    customerName: text(1000),
    termNumber,
    number: z.int().min(1).max(MOST_OF_TERM),
    contactId: z.int().min(-LARGEST_ID).max(LARGEST_ID),
    // As that of an answer that is given here.
    address: text(320).toLowerCase(),
    choice: z.enum(ANSWER_CHOICES),
    state: z.enum(ANSWER_STATES),
    isLate: z.boolean(),
    isChange: z.boolean(),
    wishedAmountCents: cents.nullable(),
    wishedDate: day.nullable(),
    reason: text(100).nullable(),
    words: text(LONGEST_NOTE).nullable(),
    offer,
    network: text(60).nullable(),
    answeredAt: instant,
    decidedAt: instant.nullable(),
    decidedBy: actor.nullable(),
    reply: text(LONGEST_NOTE).nullable(),
    agreed: z
      .union([
        z.object({ termStart: day, renewalDate: day, amountCents: cents, renewalCycle: cycle }),
        z.object({ endsOn: day }),
      ])
      .nullable(),
  })
  .refine(
    ({ state, decidedAt }) => (decidedAt !== null) === ['accepted', 'declined', 'overtaken'].includes(state),
    'Its state and decision do not go together',
  )
