import { Button } from '@mantine/core'
import { createFileRoute, Link, stripSearchParams } from '@tanstack/react-router'
import { CustomerPicker } from '#client/contracts/customer-picker.tsx'
import { TEXTS_DEFAULTS, textsSearch } from '#client/reminders/texts-search.ts'
import { TextsScreen } from '#client/reminders/texts-screen.tsx'

export const Route = createFileRoute('/_app/notifications_/texts')({
  staticData: { title: 'Message Texts' },
  validateSearch: textsSearch,
  search: { middlewares: [stripSearchParams(TEXTS_DEFAULTS)] },
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
    >
      <Button variant="default" renderRoot={(props) => <Link to="/notifications/settings" {...props} />}>
        Settings
      </Button>
    </TextsScreen>
  )
}
