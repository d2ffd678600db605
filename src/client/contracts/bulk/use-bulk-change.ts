import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { useReadOnlyGuard } from '#client/api/use-read-only.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import type { Bulk } from './bulk-words.ts'

const LOOK_EVERY_MS = 1000
/** For how long the result stays on the screen unless it is closed. */
const SHOWN_MS = 24 * 3_600_000
const CLOSED_KEY = 'traxx-bulk-closed'

/** The account's newest change of many contracts: how far it is, its result, and undoing it. */
export function useBulkChange() {
  const utils = trpc.useUtils()
  const refresh = useRefresh()
  const isRefused = useReadOnlyGuard()
  const [closed, setClosed] = useState(() => Number(stored()))
  const latest = trpc.bulk.latest.useQuery(undefined, {
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? LOOK_EVERY_MS : false),
  })
  const show = (bulk: Bulk) => utils.bulk.latest.setData(undefined, bulk)
  const undo = trpc.bulk.undo.useMutation({
    onSuccess: show,
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to undo', network: 'Network error' })),
  })
  const bulk = latest.data ?? undefined
  const isRunning = isUnderWay(bulk)
  const wasRunning = useRef(false)
  const finish = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (wasRunning.current && !isRunning) finish()
    wasRunning.current = isRunning
  }, [isRunning])
  const isClosed = !isRunning && bulk?.id === closed
  const isOld = Boolean(bulk?.endedAt && latest.dataUpdatedAt - bulk.endedAt.getTime() > SHOWN_MS)
  return {
    /** What to show; nothing if it is closed or long over. */
    bulk: isClosed || isOld ? undefined : bulk,
    isRunning,
    onStarted: show,
    isUndoing: undo.isPending,
    undo: ({ id }: Bulk) => isRefused() || undo.isPending || undo.mutate({ id }),
    close: ({ id }: Bulk) => {
      setClosed(id)
      store(id)
    },
  }
}

function isUnderWay(bulk: Bulk | null | undefined): boolean {
  return bulk?.state === 'running' || bulk?.state === 'undoing'
}

function stored(): string | null {
  try {
    return localStorage.getItem(CLOSED_KEY)
  } catch {
    return null
  }
}

function store(id: number): void {
  try {
    localStorage.setItem(CLOSED_KEY, String(id))
  } catch {
    // Without storage it is closed until the page is left.
  }
}
