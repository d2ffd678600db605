import { ById } from '#shared/schemas/fields.ts'
import { ListNotifications, RestoreNotifications } from '#shared/schemas/notifications.ts'
import {
  clearNotifications,
  countUnread,
  listNotifications,
  markAllRead,
  markRead,
  removeNotification,
  restoreNotifications,
} from '#server/notifications/notifications.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const notificationsRouter = router({
  list: readerProcedure.input(ListNotifications).query(({ ctx, input }) => listNotifications(ctx, input)),
  unreadCount: readerProcedure.query(({ ctx }) => countUnread(ctx)),
  markRead: subscriberProcedure.input(ById).mutation(({ ctx, input }) => markRead(ctx, input)),
  markAllRead: subscriberProcedure.mutation(({ ctx }) => markAllRead(ctx)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeNotification(ctx, input)),
  clear: subscriberProcedure.mutation(({ ctx }) => clearNotifications(ctx)),
  restore: subscriberProcedure
    .input(RestoreNotifications)
    .mutation(({ ctx, input }) => restoreNotifications(ctx, input)),
})
