import type { Known } from './banners.tsx'
import { CardNeededBanner } from './card-needed-banner.tsx'
import { CompanyWarning } from './company-warning.tsx'
import { StandstillWarning } from './standstill-warning.tsx'

/** A banner about each of them that is there. */
export function BannerList({ subscription, runs, company }: Known) {
  return (
    <>
      {subscription && <CardNeededBanner subscription={subscription} />}
      {runs && <StandstillWarning runs={runs} />}
      {company && <CompanyWarning company={company} />}
    </>
  )
}
