/** Refusals because a recipient has unsubscribed or complained. */
export const CONSENT_REFUSALS = {
  REMINDER_UNSUBSCRIBED: {
    code: 'UNPROCESSABLE_CONTENT',
    message: 'This person unsubscribed. Only they can turn messages on again, with the link in an earlier message',
  },
  REMINDER_COMPLAINED: {
    code: 'UNPROCESSABLE_CONTENT',
    message:
      'This person reported a message as spam. Only they can turn messages on again, with the link in an earlier message',
  },
  MAIL_STOPPED: {
    code: 'CONFLICT',
    message: 'Messages to your customers are paused, because too many people reported them as spam. Please contact us',
  },
  CUSTOMER_MAIL_CLOSED: {
    code: 'CONFLICT',
    message: '{reason}. Only they can turn messages on again, with the link in an earlier message',
  },
} as const
