/** How long what is deleted can be restored. */
export const TRASH_DAYS = 30

export const TRASH_KINDS = ['customer', 'contract'] as const
export type TrashKind = (typeof TRASH_KINDS)[number]

const DAY_MS = 86_400_000

/** When what was deleted then is deleted for good. */
export function goneAt(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + TRASH_DAYS * DAY_MS)
}

/** What was deleted at this time or before is deleted for good now. */
export function latestGone(now: Date): Date {
  return new Date(now.getTime() - TRASH_DAYS * DAY_MS)
}

/** How many days are left to restore it, the last one included; 0 once it may be gone at any moment. */
export function daysToRestore(deletedAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((goneAt(deletedAt).getTime() - now.getTime()) / DAY_MS))
}
