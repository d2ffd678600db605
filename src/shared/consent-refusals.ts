/** What is refused because readers said so. */
export const CONSENT_REFUSALS = {
  REMINDER_UNSUBSCRIBED: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'The reader of this address unsubscribed. Only they can turn it on again, with the link in an earlier message',
  },
  REMINDER_COMPLAINED: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'The reader of this address reported a message. Only they can turn it on again, with the link in an earlier message',
  },
  MAIL_STOPPED: {
    code: 'CONFLICT',
    message: 'Messages to your customers are paused, because too many readers complained. Please write to us',
  },
  CUSTOMER_MAIL_CLOSED: {
    code: 'CONFLICT',
    message: '{reason}. Only they can turn messages on again, with the link in an earlier message',
  },
} as const
