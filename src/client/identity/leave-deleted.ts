import type { Session } from './session.ts'

/** The page that says what has become of the account. */
const FAREWELL = '/account-deleted'

/** Leaves the app once the account is deleted. */
export async function leaveDeleted(session: Pick<Session, 'leave'>): Promise<void> {
  // The identity provider does not know the person any more, and may say so in place of signing out.
  await session.leave(FAREWELL).catch(() => location.assign(FAREWELL))
}
