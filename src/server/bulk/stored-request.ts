import { z } from 'zod'
import { REASONS_LEFT_OUT, type BulkRequest } from '#shared/domain/bulk-change.ts'
import { centsFromAmount } from '#shared/domain/money.ts'
import { PRICE_CHANGES } from '#shared/domain/price-change.ts'
import type { SubscriberContext } from '#server/context.ts'
import { lockedRenewalSettings } from '#server/contracts/renewal-settings.service.ts'

const Price = z.object({
  by: z.enum(PRICE_CHANGES),
  hundredths: z.int(),
  roundToCents: z.int().transform((cents) => centsFromAmount(cents / 100)),
})

const Request: z.ZodType<BulkRequest> = z.discriminatedUnion('action', [
  z.object({ action: z.literal('renew'), from: z.enum(['term', 'today']) }),
  z.object({ action: z.literal('end'), on: z.enum(['renewal_date', 'today']) }),
  z.object({ action: z.literal('change_price'), price: Price }),
  z.object({ action: z.literal('delete') }),
  z.object({ action: z.literal('remind') }),
  z.object({ action: z.literal('tag'), add: z.array(z.string()), remove: z.array(z.string()) }),
])

/** What a change of many contracts does, as stored in its row. */
const StoredRequest = z.object({
  change: Request,
  /** Why they end. */
  reason: z.string().nullable(),
  note: z.string().nullable(),
  /** Whether the customers of renewed contracts are told. */
  confirm: z.boolean().default(false),
  /** The request did not say: the settings are checked again as each part of it runs. */
  confirmsBySettings: z.boolean().default(false),
})
export type StoredRequest = z.output<typeof StoredRequest>

/**
 * A stored request, with what the account's settings say now; they are locked until the transaction ends. Call it before
 * locking contracts.
 */
export async function requestOfNow(
  ctx: Pick<SubscriberContext, 'write' | 'accountId'>,
  stored: unknown,
): Promise<StoredRequest> {
  const request = StoredRequest.parse(stored)
  if (!request.confirm || !request.confirmsBySettings) return request
  return { ...request, confirm: (await lockedRenewalSettings(ctx)).confirmRenewals }
}

export const LeftOut = z.enum(REASONS_LEFT_OUT)
