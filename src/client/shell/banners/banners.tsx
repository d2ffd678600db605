import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc, type Outputs, type TrpcUtils } from '#client/api/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import type { BannerData } from './banner-list.tsx'

const POLL_MS = 10 * 60_000
const POLLED = { staleTime: POLL_MS, refetchInterval: POLL_MS }
/** Few accounts have a banner, so they are loaded on demand. */
const List = onDemand(async () => (await import('./banner-list.tsx')).BannerList)

/**
 * Fetches what the banners need, before the first screen is shown: a banner that came later would move what is under
 * the pointer.
 */
export async function fetchBanners({ billing, reminders, company: { get } }: TrpcUtils): Promise<void> {
  const subscription = billing.subscription.getData()
  try {
    const [runs, company] = await Promise.all([reminders.runs.ensureData(), get.ensureData()])
    if (neededOf({ subscription, runs, company })) await List.load()
  } catch {
    // The banners refetch what is missing.
  }
}

/** What the owner has to know or do, on every screen. Changes appear on the next screen, so that nothing moves. */
export function Banners() {
  const path = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname })
  const subscription = useSinceOpened(path, trpc.billing.subscription.useQuery().data)
  const runs = useSinceOpened(path, trpc.reminders.runs.useQuery(undefined, POLLED).data)
  const company = useSinceOpened(path, trpc.company.get.useQuery(undefined, POLLED).data)
  // The company screen itself needs no banner that leads to it.
  const needed = neededOf({
    subscription,
    runs,
    company: path === '/company' && company?.ownerEmail ? undefined : company,
  })
  return needed && <List.Part wanted {...needed} />
}

/** The value as it was when this screen was opened, or as it first became known. */
function useSinceOpened<Value>(path: string, value: Value | undefined): Value | undefined {
  const [kept, setKept] = useState({ path, value })
  if (kept.path === path && (kept.value !== undefined || value === undefined)) return kept.value
  setKept({ path, value })
  return value
}

/** Those that need a banner; undefined if none does. */
function neededOf({ subscription, runs, company }: BannerData): BannerData | undefined {
  const needed = {
    subscription:
      subscription && (subscription.access !== 'full' || subscription.graceEndsAt) ? subscription : undefined,
    runs: runs && (runs.stop || runs.waiting || (runs.isStalled && runs.lastRunAt)) ? runs : undefined,
    company: company && isIncomplete(company) ? company : undefined,
  }
  return needed.subscription || needed.runs || needed.company ? needed : undefined
}

function isIncomplete({ name, ownerEmail, hasContracts, isReplyToConfirmed }: Outputs['company']['get']): boolean {
  if (ownerEmail === '') return true
  return name === null ? hasContracts : !isReplyToConfirmed
}
