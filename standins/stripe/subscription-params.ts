import { z } from 'zod'
import { clearable, flag, metadata, text, wholeNumber } from './params.ts'
import { trialDays, trialSettings } from './trial-params.ts'

const cancellationDetails = z.strictObject({
  comment: clearable(text).optional(),
  feedback: clearable(
    z.enum([
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ]),
  ).optional(),
})

const cancelAt = z.union([z.enum(['max_period_end', 'min_period_end']), wholeNumber])

export const NewSubscription = z.strictObject({
  customer: text,
  items: z.array(z.strictObject({ price: text, quantity: wholeNumber.default(1) })).length(1),
  default_payment_method: text.optional(),
  trial_period_days: trialDays.optional(),
  trial_end: wholeNumber.optional(),
  trial_settings: trialSettings.optional(),
  cancel_at_period_end: flag.optional(),
  cancel_at: cancelAt.optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])
    .default('allow_incomplete'),
  description: text.optional(),
  metadata: metadata.optional(),
})
export type NewSubscription = z.output<typeof NewSubscription>

export const SubscriptionChange = z.strictObject({
  cancel_at_period_end: flag.optional(),
  cancel_at: clearable(cancelAt).optional(),
  cancellation_details: cancellationDetails.optional(),
  default_payment_method: clearable(text).optional(),
  trial_end: z.union([z.literal('now'), wholeNumber]).optional(),
  trial_settings: trialSettings.optional(),
  description: clearable(text).optional(),
  metadata: metadata.optional(),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
})
export type SubscriptionChange = z.output<typeof SubscriptionChange>

export const Cancellation = z.strictObject({
  cancellation_details: cancellationDetails.optional(),
  invoice_now: flag.optional(),
  prorate: flag.optional(),
})
export type CancellationDetails = z.output<typeof cancellationDetails>
