import { trpc } from '#client/trpc.ts'
import { onDemand } from '#client/ui/on-demand.tsx'

const ASK_MS = 10 * 60_000
const Warning = onDemand(async () => (await import('./standstill-warning.tsx')).StandstillWarning)

/** Says on every screen that messages do not go out: nobody would miss them otherwise. */
export function StandstillBanner() {
  const { data: runs } = trpc.reminders.runs.useQuery(undefined, { staleTime: ASK_MS, refetchInterval: ASK_MS })
  if (!runs || (!runs.stop && !runs.waiting && (!runs.isStill || runs.lastRunAt === null))) return null
  return <Warning.Part wanted runs={runs} />
}
