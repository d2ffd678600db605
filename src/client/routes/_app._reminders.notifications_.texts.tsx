import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { TextKind } from '#shared/domain/reminder-text.ts'
import { oneOf } from '#shared/schemas/filters.ts'
import { CustomerPicker } from '#client/contracts/form/customer-picker.tsx'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { TextsScreen } from '#client/reminders/templates/texts-screen.tsx'

// Not imported from the templates, which every page would then load.
const KINDS = [
  'reminder',
  'reminder_automatic',
  'reminder_never',
  'follow_up',
  'confirmation',
  'notice',
] as const satisfies TextKind[]

const Search = z.object({ kind: z._default(oneOf(KINDS), 'reminder') })

export const Route = createFileRoute('/_app/_reminders/notifications_/texts')({
  staticData: { title: 'Email Templates' },
  validateSearch: lenientSearch(Search),
  search: { middlewares: [stripSearchParams(Search.parse({}))] },
  loader: ({ context: { trpcUtils } }) => void trpcUtils.reminders.texts.prefetch(),
  component: TextsRoute,
})

function TextsRoute() {
  const { kind } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <TextsScreen
      kind={kind}
      onKind={(chosen) => void navigate({ search: { kind: chosen }, resetScroll: false })}
      customerPicker={(field) => <CustomerPicker {...field} label="For customer" required={false} />}
    />
  )
}
