import { dayIn, type Day } from '#shared/domain/day.ts'
import { browserTimeZone } from '#client/text/format.ts'
import { trpc } from './trpc.ts'

/** Used until a browser has reported its time zone. */
export const DEFAULT_TIME_ZONE = 'UTC'

/** Today in the account's time zone, which decides on due dates; in the browser's until that is known. */
export function useAccountToday(): () => Day {
  const { data } = trpc.identity.account.useQuery()
  const timeZone = data ? (data.timeZone ?? DEFAULT_TIME_ZONE) : browserTimeZone()
  return () => dayIn(new Date(), timeZone)
}
