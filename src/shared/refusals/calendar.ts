/** Why days of the calendar cannot be read. */
export const CALENDAR_REFUSALS = {
  CALENDAR_DAYS: { code: 'BAD_REQUEST', message: 'Ask for 1 to 400 days: "through" must not be before "from"' },
} as const
