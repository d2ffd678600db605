import { Anchor, Button } from '@mantine/core'
import { createFileRoute, Link, stripSearchParams } from '@tanstack/react-router'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'
import { OutboxSearch } from '#client/reminders/outbox/outbox-search.ts'
import { OutboxScreen } from '#client/reminders/outbox/outbox-screen.tsx'

export const Route = createFileRoute('/_app/_reminders/reminders')({
  staticData: { title: 'Reminders' },
  validateSearch: lenientSearch(OutboxSearch),
  search: { middlewares: [stripSearchParams(OutboxSearch.parse({}))] },
  // Its card is above the list, which must not move later.
  loader: ({ context: { trpcUtils } }) => trpcUtils.reminders.unreachable.prefetch(),
  component: RemindersRoute,
})

function RemindersRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const change = searchInAddress(search, (navigation) => void navigate(navigation))
  return (
    <OutboxScreen
      search={search}
      onSearch={change}
      whenEmpty={
        <Button variant="default" renderRoot={(props) => <Link to="/contracts" {...props} />}>
          Go to Contracts
        </Button>
      }
      customerLink={({ id, name }) => (
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/customers/$id" params={{ id }} {...props} />}
        >
          {name}
        </Anchor>
      )}
    />
  )
}
