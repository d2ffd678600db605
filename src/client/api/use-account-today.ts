import { dayIn, type Day } from '#shared/domain/day.ts'
import { browserTimeZone } from '#client/text/format.ts'
import { trpc } from './trpc.ts'

/** What the server reckons with where no browser has told it. */
export const UNTOLD_TIME_ZONE = 'UTC'

/** The calendar day by the clock of the account, which decides on due dates; of the browser until that is known. */
export function useAccountToday(): () => Day {
  const { data } = trpc.identity.account.useQuery()
  const timeZone = data ? (data.timeZone ?? UNTOLD_TIME_ZONE) : browserTimeZone()
  return () => dayIn(new Date(), timeZone)
}
