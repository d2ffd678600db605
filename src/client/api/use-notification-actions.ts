import { failureText } from './failure-text.ts'
import { trpc } from './trpc.ts'
import { toastFailure } from '#client/ui/toasts.tsx'

/** What can be done with notifications, wherever they are listed; afterwards every list and count is fetched anew. */
export function useNotificationActions() {
  const utils = trpc.useUtils()
  const or = (failed: string) => ({
    onSuccess: () => utils.notifications.invalidate(),
    onError: (error: unknown) => toastFailure(failureText(error, { failed })),
  })
  return {
    markRead: trpc.notifications.markRead.useMutation(or('Failed to mark the notification as read')),
    markAllRead: trpc.notifications.markAllRead.useMutation(or('Failed to mark all notifications as read')),
    remove: trpc.notifications.remove.useMutation(or('Failed to clear the notification')),
    clear: trpc.notifications.clear.useMutation(or('Failed to clear the notifications')),
  }
}
