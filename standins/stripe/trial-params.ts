import { z } from 'zod'
import { wholeNumber } from './params.ts'
import { StripeProblem } from './problem.ts'

const DAY = 86_400

interface AskedTrial {
  trial_period_days?: number | undefined
  trial_end?: number | undefined
}

export const trialDays = wholeNumber.refine((days) => days >= 1 && days <= 730, 'must be from 1 to 730')

/** When a trial ends that was asked for by its length, or by its end; null without one. */
export function trialEndOf(asked: AskedTrial, now: number): number | null {
  const { trial_period_days: days, trial_end: end } = asked
  if (days !== undefined && end !== undefined) {
    throw new StripeProblem(400, 'You cannot set both `trial_end` and `trial_period_days`.', {
      code: 'parameters_exclusive',
    })
  }
  if (days !== undefined) return now + days * DAY
  if (end !== undefined && end <= now) {
    throw new StripeProblem(400, 'Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    })
  }
  return end ?? null
}

export const trialSettings = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
})
