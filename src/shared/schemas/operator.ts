import * as z from 'zod/mini'
import { Id, lines } from './fields.ts'
import { text } from './filters.ts'

/** What the operator looks for: an account's ID, or a part of its owner's email address. */
export const AccountSearch = z.object({ search: z._default(text(200), '') })

/** An account that is suspended, and why, in words that its owner reads. */
export const SuspendAccount = z.object({ id: Id, reason: lines(500, 'Enter a reason, which the owner will read') })
