import { skipToken } from '@tanstack/react-query'
import { trpc, type Inputs } from '#client/api/trpc.ts'
import type { AnnouncedNotices } from './mail-text.ts'
import { useShownFirst } from './use-shown-first.ts'

export interface NoticesAnnouncement {
  /** Those that go out today; undefined while that is not known, or nothing is asked. */
  announced: AnnouncedNotices | undefined
  isUnknown: boolean
  error: unknown
  /** Waits for the count. False if notices will go out that were not shown yet. */
  confirmShown: () => Promise<boolean>
}

type Reminders = Inputs['reminders']

/** The notices that a customer's tags bring once they are saved; undefined if they stay as they are. */
export function useNoticesOfCustomer(tagged: Reminders['announceCustomerTags'] | undefined): NoticesAnnouncement {
  const { data, error, ...query } = trpc.reminders.announceCustomerTags.useQuery(tagged ?? skipToken, { gcTime: 0 })
  return { announced: data, error, ...useShownFirst(query, { key: keyOf(tagged), isNone }) }
}

/** The notices that come once a tag is removed, or has become another one; undefined if neither. */
export function useNoticesOfTag(change: Reminders['announceTag'] | undefined): NoticesAnnouncement {
  const { data, error, ...query } = trpc.reminders.announceTag.useQuery(change ?? skipToken, { gcTime: 0 })
  return { announced: data, error, ...useShownFirst(query, { key: keyOf(change), isNone }) }
}

function keyOf(asked: object | undefined): string | undefined {
  return asked && JSON.stringify(asked)
}

function isNone({ notices, isAll }: AnnouncedNotices): boolean {
  return isAll && notices === 0
}
