import { listNotifications } from '#server/notifications/notifications.service.ts'
import { requireReader, type RequestContext } from '#server/context.ts'

/** The notifications of an account, the latest first. */
export async function notificationsOf(request: RequestContext) {
  const { rows } = await listNotifications(requireReader(request), { unread: false, limit: 100, skip: 0 })
  return rows
}
