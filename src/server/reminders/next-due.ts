import type { JobContext } from '#server/context.ts'

/**
 * In how many milliseconds a planned message falls due, where that is sooner than `withinMs`; undefined where none does.
 * So a reminder with 10 seconds to undo it goes out on time, and the ledger is not looked at more often for it.
 */
export async function nextDueWithin({ db, services }: JobContext, withinMs: number): Promise<number | undefined> {
  const now = services.now()
  const { rows } = await db.system.query<{ at: Date | string | null }>({
    text: `select min(next_attempt_at) as at from reminders
      where state = 'planned' and next_attempt_at > $1 and next_attempt_at < $2`,
    values: [now, new Date(now.getTime() + withinMs)],
  })
  const at = rows[0]?.at
  return at ? new Date(at).getTime() - now.getTime() : undefined
}
