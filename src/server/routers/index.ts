import { router } from '#server/trpc.ts'
import { activityRouter, notesRouter } from './activity.ts'
import { answersRouter } from './answers.ts'
import { billingRouter } from './billing.ts'
import { bulkRouter } from './bulk.ts'
import { calendarRouter } from './calendar.ts'
import { companyRouter } from './company.ts'
import { contactsRouter } from './contacts.ts'
import { contractsRouter } from './contracts.ts'
import { customersRouter } from './customers.ts'
import { dashboardRouter } from './dashboard.ts'
import { identityRouter } from './identity.ts'
import { importsRouter } from './imports.ts'
import { noticeRulesRouter } from './notice-rules.ts'
import { noticesRouter } from './notices.ts'
import { notificationsRouter } from './notifications.ts'
import { remindersRouter } from './reminders.ts'
import { trashRouter } from './trash.ts'
import { tagsRouter } from './tags.ts'
import { viewsRouter } from './views.ts'

export const appRouter = router({
  activity: activityRouter,
  answers: answersRouter,
  billing: billingRouter,
  bulk: bulkRouter,
  calendar: calendarRouter,
  company: companyRouter,
  contacts: contactsRouter,
  contracts: contractsRouter,
  customers: customersRouter,
  dashboard: dashboardRouter,
  identity: identityRouter,
  imports: importsRouter,
  notes: notesRouter,
  noticeRules: noticeRulesRouter,
  notices: noticesRouter,
  notifications: notificationsRouter,
  reminders: remindersRouter,
  trash: trashRouter,
  tags: tagsRouter,
  views: viewsRouter,
})
export type AppRouter = typeof appRouter
