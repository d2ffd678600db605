import { z } from 'zod'
import { Id } from './fields.ts'

/** What the operator looks for: an account's ID, or a part of its owner's email address. */
export const AccountSearch = z.object({ search: z.string().trim().max(200).default('') })

/** An account that is suspended, and why, in words that its owner reads. */
export const SuspendAccount = z.object({
  id: Id,
  reason: z
    .string('Enter a reason, which the owner will read')
    .trim()
    .min(1, 'Enter a reason, which the owner will read')
    .max(500, 'The reason can have up to 500 characters'),
})
