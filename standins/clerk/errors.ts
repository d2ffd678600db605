/** The errors of Clerk that its stand-in can answer, in Clerk's words. */
const ERRORS = {
  authentication_invalid: [
    401,
    'Invalid authentication',
    'Unable to authenticate the request, you need to supply an active session',
  ],
  clerk_key_invalid: [
    401,
    'The provided Clerk Secret Key is invalid. Make sure that your Clerk Secret Key is correct.',
  ],
  form_code_incorrect: [422, 'is incorrect', 'Incorrect code'],
  form_identifier_exists: [422, 'That email address is taken. Please try another.'],
  form_identifier_not_found: [422, "Couldn't find your account."],
  form_param_format_invalid: [422, 'is invalid', 'This value is not valid.'],
  form_param_nil: [422, 'is missing', 'This value is required.'],
  form_param_unknown: [422, 'is unknown', 'This is not a valid parameter for this request.'],
  form_password_incorrect: [422, 'Password is incorrect. Try again, or use another method.'],
  form_password_length_too_long: [422, 'Passwords must be at most 72 characters.'],
  form_password_length_too_short: [422, 'Passwords must be 8 characters or more.'],
  form_password_validation_failed: [422, 'Incorrect password.'],
  internal_clerk_error: [500, 'Oops, an unexpected error occurred'],
  origin_invalid: [
    400,
    'Invalid HTTP Origin header',
    'The Request HTTP Origin header must be equal to or a subdomain of the requesting URL.',
  ],
  request_body_invalid: [400, 'Request body invalid', 'The request body is invalid.'],
  resource_not_found: [404, 'Resource not found', 'The resource was not found.'],
  session_exists: [400, 'Session already exists', "You're already signed in."],
  session_reverification_required: [
    403,
    'Reverification required',
    'You need to provide additional verification to perform this operation.',
  ],
  strategy_for_user_invalid: [422, 'Strategy is invalid', 'The verification strategy is not valid for this account.'],
  user_locked: [
    403,
    'Account locked',
    'Your account is locked. You will be able to try again in 1 hour. For more information, please contact support.',
  ],
  verification_already_verified: [400, 'already verified', 'This verification has already been verified.'],
  verification_expired: [400, 'expired', 'This verification has expired. You must create a new one.'],
  verification_failed: [
    400,
    'failed',
    'Too many failed attempts. You have to try again with the same or another method.',
  ],
  verification_missing: [400, 'missing', 'You need to send a verification code before attempting to verify.'],
} as const satisfies Record<string, readonly [status: number, message: string, longMessage?: string]>

export type ClerkErrorCode = keyof typeof ERRORS

interface Fault {
  code: ClerkErrorCode
  /** The field that is wrong: it decides where a form shows the error. */
  param?: string | undefined
}

/** A foreseen refusal. What its call wrote before is kept: a wrong code counts. */
export class ClerkError extends Error {
  readonly faults: Fault[]

  constructor(code: ClerkErrorCode, param?: string, others: Fault[] = []) {
    super(code)
    this.faults = [{ code, param }, ...others]
  }

  get status(): number {
    return ERRORS[this.faults[0]?.code ?? 'internal_clerk_error'][0]
  }

  toJSON() {
    return { errors: this.faults.map(faultJson) }
  }
}

export function isClerkErrorCode(text: string): text is ClerkErrorCode {
  return Object.hasOwn(ERRORS, text)
}

function faultJson({ code, param }: Fault) {
  const [, message, longMessage = message] = ERRORS[code]
  return { code, message, long_message: longMessage, meta: param ? { param_name: param } : {} }
}
