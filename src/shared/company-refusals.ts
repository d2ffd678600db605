/** What is refused of an account's company, its logo and its reply-to address. */
export const COMPANY_REFUSALS = {
  COMPANY_NAME_REQUIRED: {
    code: 'CONFLICT',
    message: 'Enter the name of your company first: it tells customers who writes to them',
  },
  LOGO_NOT_FOUND: { code: 'NOT_FOUND', message: 'There is no logo' },
  LOGO_FORM_REQUIRED: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the logo as multipart/form-data, in the field "logo"',
  },
  LOGO_FIELD_REQUIRED: { code: 'BAD_REQUEST', message: 'Send one image, in the field "logo"' },
  LOGO_FORM_UNREADABLE: { code: 'BAD_REQUEST', message: 'The form with the logo cannot be read' },
  NOT_A_LOGO: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Please select a PNG or JPEG image' },
  LOGO_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The logo is larger than 200 KB' },
  LOGO_TOO_MANY_PIXELS: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'The logo is more than 2,000 pixels wide or high',
  },
  LOGO_UPLOAD_FAILED: { code: 'BAD_GATEWAY', message: 'Failed to upload the logo' },
  REPLY_TO_CONFIRMED: { code: 'CONFLICT', message: 'There is no reply-to address that waits for a code' },
  REPLY_TO_CODE_WRONG: { code: 'BAD_REQUEST', message: 'This is not the code that was sent' },
  REPLY_TO_CODE_EXPIRED: {
    code: 'BAD_REQUEST',
    message: 'The code has expired, or was mistyped too often. Ask for a new one',
  },
  REPLY_TO_CODE_FAILED: {
    code: 'BAD_GATEWAY',
    message: 'The code could not be sent. Please try again in a few minutes',
  },
  TEXT_HAS_LINKS: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'Links come with the paid plan: until your first payment, a text must not contain web or email addresses. After a dot that ends a sentence, type a space',
  },
} as const
