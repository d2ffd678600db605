import { useState } from 'react'
import type { Settings } from '#client/text/reminder-words.ts'

export type Draft = Omit<Settings, 'senderName' | 'replyTo' | 'timeZone' | 'ownerEmail'>

export interface DraftControl {
  draft: Draft
  /** Whether it is other than what is saved. */
  isChanged: boolean
  change: (changes: Partial<Draft>) => void
  reset: () => void
  /** Drops drafts equal to what was saved. */
  settle: (sent: Draft) => void
}

/** What is being chosen, over what is saved. */
export function useSettingsDraft(settings: Settings): DraftControl {
  const { senderName: _name, replyTo: _replyTo, timeZone: _zone, ownerEmail: _email, ...saved } = settings
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const draft = { ...saved, ...changes }
  return {
    draft,
    isChanged: fingerprint(draft) !== fingerprint(saved),
    change: (more) => setChanges((before) => ({ ...before, ...more })),
    reset: () => setChanges({}),
    settle: (sent) => setChanges((now) => (fingerprint({ ...saved, ...now }) === fingerprint(sent) ? {} : now)),
  }
}

/** The days with one more, or one less, in the order in which they come. */
export function toggled(days: readonly number[], day: number, options: readonly number[]): number[] {
  const chosen = days.includes(day) ? days.filter((one) => one !== day) : [...days, day]
  return options.filter((option) => chosen.includes(option))
}

function fingerprint({ reminderDays, followUpDays, notificationMethods: methods, ...rest }: Draft): string {
  const { enableNotifications, hour } = rest
  return JSON.stringify([enableNotifications, reminderDays, followUpDays, methods.email, methods.inApp, hour])
}
