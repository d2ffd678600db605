import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { SessionProvider } from '#client/identity/session-context.tsx'
import { makeSession, type Session } from '#client/identity/session.ts'
import { makeQueryClient } from '#client/api/query-client.ts'
import { routeTree } from '#client/routeTree.gen.ts'
import { PendingScreen } from '#client/shell/pending-screen.tsx'
import { makeTrpcClient, makeTrpcUtils, trpc } from '#client/api/trpc.ts'
import { aCompany, aDashboard, aPage } from './records.ts'
import { render } from './render.tsx'
import { aSubscription } from './subscription.ts'
import { trpcServer, type FakeAnswers } from './trpc-server.ts'

interface Visitor {
  /** Nobody is signed in; 'unknown' while the identity provider has not said. */
  signedOut?: boolean | 'unknown'
  subscription?: Parameters<typeof aSubscription>[0]
  answers?: FakeAnswers
  session?: Partial<Session>
}

/** The app at an address, for a signed-in subscriber by default. */
export function openApp(address: string, visitor: Visitor = {}) {
  const { signedOut = false, subscription = {}, answers = {} } = visitor
  const server = trpcServer({
    billing: { subscription: () => aSubscription(subscription) },
    company: { get: () => aCompany() },
    customers: { list: () => aPage([]) },
    dashboard: { get: () => aDashboard() },
    // The forms of the identity provider are not what these tests are about.
    identity: { config: () => new Promise(() => {}) },
    notifications: { unreadCount: () => ({ count: 0 }) },
    reminders: { runs: () => ({ lastRunAt: null, isStalled: false, waiting: null, stop: null }) },
    ...answers,
  })
  const queryClient = makeQueryClient(() => {})
  const trpcClient = makeTrpcClient(async () => 'token')
  const session = { ...makeSession(), signedInPerson: () => personOf(signedOut), ...visitor.session }
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: [address] }),
    context: { trpcClient, trpcUtils: makeTrpcUtils(trpcClient, queryClient), session },
    defaultPendingComponent: PendingScreen,
  })
  const app = (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <SessionProvider session={session}>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </trpc.Provider>
  )
  return { ...server, address: () => router.history.location.href, ...render(app) }
}

async function personOf(signedOut: Visitor['signedOut']) {
  if (signedOut === 'unknown') return new Promise<null>(() => {})
  return signedOut ? null : JSON.parse('{"id":"user_ada"}')
}
