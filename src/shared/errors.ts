/**
 * Every refusal a person can meet, with the words they read. `code` is a tRPC code; the HTTP status follows from it.
 * The words of a wrong field stand in its schema.
 */
export const REFUSALS = {
  NOT_SIGNED_IN: { code: 'UNAUTHORIZED', message: 'You are not logged in' },
  SUBSCRIPTION_REQUIRED: { code: 'PAYMENT_REQUIRED', message: 'An active or trialing subscription is required' },
  PAYMENT_OVERDUE: {
    code: 'PAYMENT_REQUIRED',
    message: 'Your last payment failed, so TRAXX is read-only until the card is updated',
  },
  SUBSCRIPTION_ENDED: {
    code: 'PAYMENT_REQUIRED',
    message: 'Your subscription has ended, so TRAXX is read-only. Subscribe again to make changes',
  },
  INPUT_INVALID: { code: 'BAD_REQUEST', message: 'The request is not valid' },
  CURSOR_INVALID: { code: 'BAD_REQUEST', message: 'The cursor is not one of this list' },
  CUSTOMER_NAME_REQUIRED: { code: 'BAD_REQUEST', message: 'Customer name is required' },
  CUSTOMER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Customer not found' },
  CUSTOMER_HAS_CONTRACTS: {
    code: 'BAD_REQUEST',
    message: 'Cannot delete customer - they may have existing contracts',
  },
  CUSTOMER_NUMBER_TAKEN: { code: 'CONFLICT', message: 'Another customer already has this customer number' },
  CONTRACT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Contract not found' },
  RENEWAL_BEFORE_START: { code: 'BAD_REQUEST', message: 'Renewal date must not be before the start date' },
  PDF_NOT_FOUND: { code: 'NOT_FOUND', message: 'This contract has no PDF' },
  NOTIFICATION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Notification not found' },
  SUBSCRIPTION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Subscription not found' },
  ALREADY_SUBSCRIBED: { code: 'CONFLICT', message: 'You already have a subscription' },
  CHECKOUT_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to create checkout session' },
  PORTAL_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to create portal session' },
  IDENTITY_UNAVAILABLE: { code: 'BAD_GATEWAY', message: 'The sign-in service did not answer. Please try again' },
  BILLING_UNAVAILABLE: { code: 'BAD_GATEWAY', message: 'The payment service did not answer. Please try again' },
  WEBHOOK_UNSIGNED: { code: 'BAD_REQUEST', message: 'The webhook signature is not valid' },
  PATH_NOT_FOUND: { code: 'NOT_FOUND', message: 'There is nothing at this address' },
  BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The request is larger than the server accepts' },
  BODY_TYPE_UNSUPPORTED: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request body as JSON' },
  BODY_UNREADABLE: { code: 'BAD_REQUEST', message: 'The request body is not valid JSON' },
  FAULT: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong' },
} as const

export type RefusalKey = keyof typeof REFUSALS
export type RefusalCode = (typeof REFUSALS)[RefusalKey]['code']

/** A foreseen refusal: both doors turn it into their own kind of answer. */
export class AppError extends Error {
  readonly key: RefusalKey

  constructor(key: RefusalKey, options?: ErrorOptions) {
    super(REFUSALS[key].message, options)
    this.name = 'AppError'
    this.key = key
  }

  get code(): RefusalCode {
    return REFUSALS[this.key].code
  }
}
