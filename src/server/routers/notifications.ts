import { ById } from '#shared/schemas/fields.ts'
import { ListNotifications } from '#shared/schemas/notifications.ts'
import {
  clearNotifications,
  countUnread,
  listNotifications,
  markAllRead,
  markRead,
  removeNotification,
} from '#server/notifications/notifications.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const notificationsRouter = router({
  list: readerProcedure.input(ListNotifications).query(({ ctx, input }) => listNotifications(ctx, input)),
  unreadCount: readerProcedure.query(({ ctx }) => countUnread(ctx)),
  markRead: subscriberProcedure.input(ById).mutation(({ ctx, input }) => markRead(ctx, input)),
  markAllRead: subscriberProcedure.mutation(({ ctx }) => markAllRead(ctx)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeNotification(ctx, input)),
  clear: subscriberProcedure.mutation(({ ctx }) => clearNotifications(ctx)),
})
