/** Why a rule about notices cannot be made, changed, or chosen. */
export const NOTICE_RULE_REFUSALS = {
  NOTICE_RULE_NOT_FOUND: { code: 'NOT_FOUND', message: 'Notice rule not found' },
  NOTICE_RULES_FULL: { code: 'CONFLICT', message: 'There can be at most {most} notice rules' },
  NOTICE_RULE_OF_LAW: {
    code: 'CONFLICT',
    message: 'A rule taken over from a law cannot be changed. Make a rule of your own instead',
  },
  NOTICE_EMAIL_DOES_NOT_COUNT: { code: 'BAD_REQUEST', message: 'By this law, email does not count' },
} as const
