import { Anchor, Button } from '@mantine/core'
import { createFileRoute, Link, stripSearchParams } from '@tanstack/react-router'
import { AnswersScreen } from '#client/answers/answers-screen.tsx'
import { AnswersSearch } from '#client/answers/answers-search.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { searchInAddress } from '#client/list/search-in-address.ts'

export const Route = createFileRoute('/_app/_reminders/answers')({
  staticData: { title: 'Answers' },
  validateSearch: lenientSearch(AnswersSearch),
  search: { middlewares: [stripSearchParams(AnswersSearch.parse({}))] },
  component: AnswersRoute,
})

function AnswersRoute() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AnswersScreen
      search={search}
      onSearch={searchInAddress(search, (navigation) => void navigate(navigation))}
      link={({ contractId }, title) =>
        contractId === null ? (
          title
        ) : (
          <Anchor
            inherit
            fw={700}
            renderRoot={(props) => <Link to="/contracts/$id" params={{ id: contractId }} {...props} />}
          >
            {title}
          </Anchor>
        )
      }
      settingsLink={
        <Button variant="default" renderRoot={(props) => <Link to="/notifications/settings" {...props} />}>
          Settings
        </Button>
      }
    />
  )
}
