import { createFileRoute } from '@tanstack/react-router'
import { isSignedInHere } from '#client/identity/cookies.ts'
import { NotFound } from '#client/shell/not-found.tsx'

/** Any other path. The server responds with 404. */
export const Route = createFileRoute('/$')({
  staticData: { title: 'Page not found' },
  component: UnknownRoute,
})

function UnknownRoute() {
  return <NotFound isSignedIn={isSignedInHere()} />
}
