import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import type { AccountContext, RequestContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import { customersMadeFor, findCustomer } from './stripe.ts'

/**
 * The ID of the account's customer at Stripe, read from the database: the cached caller may be older than a checkout in
 * another process, or than the account's deletion. @throws NOT_SIGNED_IN if the account is being deleted, or gone
 */
export async function storedCustomer({ read, accountId }: AccountContext): Promise<string | null> {
  const [row] = await read(
    sql`select stripe_customer_id as customer from accounts where id = ${accountId} and deleting_at is null`,
    CustomerRow,
  )
  if (!row) throw new AppError('NOT_SIGNED_IN')
  return row.customer
}

const CustomerRow = z.object({ customer: z.string().nullable() })

/**
 * The ID of the account's customer at Stripe, whose email is updated if the account's has changed. Null if there is none,
 * or it was deleted at Stripe.
 */
export async function currentCustomer(ctx: AccountContext): Promise<string | null> {
  const { stripe } = ctx.services
  const { email } = ctx.caller
  const id = await storedCustomer(ctx)
  const customer = id && (await findCustomer(stripe, id))
  if (!customer) return null
  if (email && email !== customer.email) await stripe.customers.update(id, { email })
  return id
}

/** The same, created if there is none, so that every purchase belongs to an account. */
export function customerForCheckout(ctx: AccountContext): Promise<string> {
  return withCustomerLock(ctx, ctx.accountId, async () => {
    return (await currentCustomer(ctx)) ?? createCustomer(ctx, await storedCustomer(ctx))
  })
}

type DeletingContext = Pick<RequestContext, 'db' | 'services'>

/**
 * The IDs of all Stripe customers of an account that is being deleted, including one that was not stored because
 * of a crash. Waits for a checkout that is creating one; a later checkout is refused.
 */
export function customersOfDeletedAccount(ctx: DeletingContext, accountId: number): Promise<string[]> {
  return withCustomerLock(ctx, accountId, async () => {
    const statement = sql`
      select clerk_user_id as "userId", email, stripe_customer_id as stored from accounts where id = ${accountId}`
    const [user] = await readRows(ctx.db.system, statement, DeletingRow)
    if (!user) return []
    return [...new Set([user.stored ?? [], await customersMadeFor(ctx.services.stripe, user)].flat())]
  })
}

const DeletingRow = z.object({ userId: z.string(), email: z.string(), stored: z.string().nullable() })

function withCustomerLock<T>({ db }: Pick<DeletingContext, 'db'>, accountId: number, work: () => Promise<T>) {
  return db.oneAtATime(`customer:${accountId}`, work)
}

async function createCustomer({ services, db, caller, callers }: AccountContext, former: string | null) {
  const { id } = await services.stripe.customers.create(
    { ...(caller.email && { email: caller.email }), metadata: { userId: caller.clerkUserId } },
    { idempotencyKey: `customer:${digestOf([caller.clerkUserId, caller.email, former])}` },
  )
  await db.systemFor(caller.id).query('update accounts set stripe_customer_id = $2 where id = $1', [caller.id, id])
  callers.forget(caller.clerkUserId)
  return id
}

// If a server crashes before it has stored the customer, Stripe returns the same one again. A changed email, or the
// replacement of a deleted customer, is a different request.
function digestOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
