/** Why a rule about notices cannot be made, changed or chosen, or a letter not be marked as mailed. */
export const NOTICE_REFUSALS = {
  NOTICE_RULE_NOT_FOUND: { code: 'NOT_FOUND', message: 'Notice rule not found' },
  NOTICE_RULES_FULL: { code: 'CONFLICT', message: 'There can be at most {most} notice rules' },
  NOTICE_RULE_OF_LAW: {
    code: 'CONFLICT',
    message: 'A rule taken over from a law cannot be changed. Make a rule of your own instead',
  },
  NOTICE_EMAIL_DOES_NOT_COUNT: { code: 'BAD_REQUEST', message: 'By this law, email does not count' },
  NOTICE_NOT_DUE: { code: 'CONFLICT', message: 'No notice is due for this contract: {why}' },
  NOTICE_WINDOW_NOT_COMPUTED: {
    code: 'CONFLICT',
    message: "The contract's notice window cannot be computed: {why}. {remedy}",
  },
  NOTICE_LETTER_DOES_NOT_COUNT: { code: 'CONFLICT', message: 'By the rule chosen, a letter does not count' },
  NOTICE_DELIVERY_REQUIRED: {
    code: 'BAD_REQUEST',
    message:
      'By this law, a letter counts if it is handed over in person or sent by {mail}. Say which, and the number of the mail',
  },
  NOTICE_DAY_OUTSIDE: {
    code: 'BAD_REQUEST',
    message: 'Choose a day of the notice window, {from} to {through}, that is not in the future',
  },
  NOTICE_NO_POSTAL_ADDRESS: {
    code: 'CONFLICT',
    message: "Add the customer's postal address first, so that the letter can be mailed",
  },
  NOTICE_ADDRESS_TOO_LONG: {
    code: 'CONFLICT',
    message: "The customer's name and postal address do not fit the window of an envelope. Shorten the address",
  },
  NOTICE_ADDRESS_UNPRINTABLE: {
    code: 'CONFLICT',
    message:
      "The letter cannot print these characters of the customer's postal address: {characters}. Enter it in Latin letters",
  },
  NOTICE_CORRECTED_TOO_OFTEN: {
    code: 'CONFLICT',
    message: 'The mailing of this letter was corrected too often. Mark it as not mailed, then as mailed again',
  },
  NOTICE_NOT_POSTED: { code: 'CONFLICT', message: 'No letter is marked as mailed for the current term' },
} as const
