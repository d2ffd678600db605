/** Why the account is read-only. Separate, because the banner needs only these. */
export const ACCESS_REFUSALS = {
  PAYMENT_OVERDUE: {
    code: 'PAYMENT_REQUIRED',
    message: 'Your last payment failed, so TRAXX is read-only until you update your card',
  },
  SUBSCRIPTION_PAUSED: {
    code: 'PAYMENT_REQUIRED',
    message: 'Your trial ended without a card, so TRAXX is read-only until you add one',
  },
  SUBSCRIPTION_ENDED: {
    code: 'PAYMENT_REQUIRED',
    message: 'Your subscription has ended, so TRAXX is read-only. Subscribe again to make changes',
  },
  ACCOUNT_SUSPENDED: {
    code: 'FORBIDDEN',
    message: 'We have suspended this account, so TRAXX is read-only. Please contact us',
  },
} as const
