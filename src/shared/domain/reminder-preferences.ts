/** The days before a renewal date among which reminders are chosen (spec, section 9). */
export const REMINDER_DAYS = [30, 14, 7, 3, 1] as const
/** The days after it, for follow-ups. */
export const FOLLOW_UP_DAYS = [1, 3, 7, 14, 30] as const

/** What an account, or one contract of it, wants to be reminded of; the methods are those that reach the owner. */
export interface ReminderPreferences {
  enableNotifications: boolean
  reminderDays: readonly number[]
  followUpDays: readonly number[]
  notificationMethods: { email: boolean; inApp: boolean }
}

/** What one contract wants otherwise; null is as its account has it. */
export interface ReminderOverrides {
  enableNotifications: boolean | null
  reminderDays: readonly number[] | null
  followUpDays: readonly number[] | null
  email: boolean | null
  inApp: boolean | null
}

export const DEFAULT_HOUR = 8

export const DEFAULT_PREFERENCES: ReminderPreferences = {
  enableNotifications: true,
  reminderDays: [30, 14, 7, 1],
  followUpDays: [1, 3, 7],
  notificationMethods: { email: true, inApp: true },
}

/** The preferences of a contract: its own where it has any, else its account's. */
export function preferencesOf(account: ReminderPreferences, own: ReminderOverrides | null): ReminderPreferences {
  return {
    enableNotifications: own?.enableNotifications ?? account.enableNotifications,
    reminderDays: own?.reminderDays ?? account.reminderDays,
    followUpDays: own?.followUpDays ?? account.followUpDays,
    notificationMethods: {
      email: own?.email ?? account.notificationMethods.email,
      inApp: own?.inApp ?? account.notificationMethods.inApp,
    },
  }
}
