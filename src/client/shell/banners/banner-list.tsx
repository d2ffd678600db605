import type { Outputs } from '#client/api/trpc.ts'
import { CardNeededBanner } from './card-needed-banner.tsx'
import { CompanyWarning } from './company-warning.tsx'
import { RemindersWarning } from './reminders-warning.tsx'

/** What the banners are about. */
export interface BannerData {
  subscription: Outputs['billing']['subscription'] | undefined
  runs: Outputs['reminders']['runs'] | undefined
  company: Outputs['company']['get'] | undefined
}

/** One banner for each. */
export function BannerList({ subscription, runs, company }: BannerData) {
  return (
    <>
      {subscription && <CardNeededBanner subscription={subscription} />}
      {runs && <RemindersWarning runs={runs} />}
      {company && <CompanyWarning company={company} />}
    </>
  )
}
