/** Refusals about the company, its logo and its reply-to address. */
export const COMPANY_REFUSALS = {
  COMPANY_NAME_REQUIRED: {
    code: 'CONFLICT',
    message: 'Enter your company name first, so that customers know who the message is from',
  },
  EMAIL_UNVERIFIED: {
    code: 'CONFLICT',
    message: 'Your email address is not verified yet, so nothing can be sent',
  },
  TRIAL_UNVERIFIED: {
    code: 'CONFLICT',
    message: 'Verify your email address first, then start your free trial',
  },
  LOGO_NOT_FOUND: { code: 'NOT_FOUND', message: 'There is no logo' },
  LOGO_FORM_REQUIRED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the logo as multipart/form-data, in the field "logo"',
  },
  LOGO_FIELD_REQUIRED: { code: 'BAD_REQUEST', message: 'Send one image, in the field "logo"' },
  LOGO_FORM_UNREADABLE: { code: 'BAD_REQUEST', message: 'The upload could not be read' },
  NOT_A_LOGO: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Please select a PNG or JPEG image' },
  LOGO_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The logo is larger than 200 KB' },
  LOGO_TOO_MANY_PIXELS: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The logo is more than 2,000 pixels wide or high',
  },
  LOGO_UPLOAD_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to upload the logo', retrySeconds: 15 },
  REPLY_TO_CONFIRMED: { code: 'CONFLICT', message: 'No reply-to address is waiting to be confirmed' },
  REPLY_TO_CODE_WRONG: { code: 'BAD_REQUEST', message: 'That code is not right. Please check it and try again' },
  REPLY_TO_CODE_EXPIRED: {
    code: 'BAD_REQUEST',
    message: 'The code has expired, or was entered incorrectly too many times. Request a new one',
  },
  REPLY_TO_CODE_FAILED: {
    code: 'BAD_GATEWAY',
    message: 'The code could not be sent. Please try again in a few minutes',
    retrySeconds: 120,
  },
  TEXT_HAS_LINKS: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'Before your first payment, texts must not contain web or email addresses, or two backslashes in a row. If this is not an address, add a space after the period',
  },
} as const
