/** The days before a renewal date that reminders can be set to (spec, section 9). */
export const REMINDER_DAYS = [30, 14, 7, 3, 1] as const
/** The days after a renewal date that follow-ups can be set to. */
export const FOLLOW_UP_DAYS = [1, 3, 7, 14, 30] as const

/** When an account or one of its contracts gets reminders; `notificationMethods` are those that reach the owner. */
export interface ReminderPreferences {
  enableNotifications: boolean
  reminderDays: readonly number[]
  followUpDays: readonly number[]
  notificationMethods: { email: boolean; inApp: boolean }
}

/** One contract's own preferences; null means the account's. */
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

/** A contract's own preferences where it has any, otherwise its account's. */
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
