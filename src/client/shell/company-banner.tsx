import { useLocation } from '@tanstack/react-router'
import { trpc } from '#client/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'

const ASK_MS = 10 * 60_000
const Warning = onDemand(async () => (await import('./company-warning.tsx')).CompanyWarning)

/** Says on every screen, but on the one where it can be mended, what is missing for messages to customers. */
export function CompanyBanner() {
  const { data: company } = trpc.company.get.useQuery(undefined, { staleTime: ASK_MS, refetchInterval: ASK_MS })
  const isThere = useLocation({ select: ({ pathname }) => pathname === '/company' })
  if (!company || isThere) return null
  const isMissing = company.name === null ? company.hasContracts : !company.isReplyToConfirmed
  return isMissing ? <Warning.Part wanted company={company} /> : null
}
