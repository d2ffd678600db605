import type { Answers } from '#client/api/trpc.ts'
import { CardNeededBanner } from './card-needed-banner.tsx'
import { CompanyWarning } from './company-warning.tsx'
import { RemindersWarning } from './reminders-warning.tsx'

/** What the banners are about. */
export interface Known {
  subscription: Answers['billing']['subscription'] | undefined
  runs: Answers['reminders']['runs'] | undefined
  company: Answers['company']['get'] | undefined
}

/** A banner about each of them that is there. */
export function BannerList({ subscription, runs, company }: Known) {
  return (
    <>
      {subscription && <CardNeededBanner subscription={subscription} />}
      {runs && <RemindersWarning runs={runs} />}
      {company && <CompanyWarning company={company} />}
    </>
  )
}
