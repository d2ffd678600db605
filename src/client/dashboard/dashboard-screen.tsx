import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { AttentionCard } from './attention-card.tsx'
import { Charts } from './charts/charts.tsx'
import { DashboardFigures } from './dashboard-figures.tsx'
import { FirstSteps, type FirstActs } from './first-steps.tsx'
import { RatioCards } from './ratio-cards.tsx'
import { SampleBanner } from './sample-data.tsx'
import { useFirstSteps } from './use-first-steps.ts'
import { useWelcome } from './use-welcome.ts'
import classes from './dashboard-screen.module.css'

const FAILURE = {
  failed: 'Failed to fetch dashboard',
  signedOut: 'You are not logged in. Please log in to view the dashboard.',
  noToken: 'Unable to get authentication token.',
}

const WATCH_MS = 5000
const SOON_MS = 30_000

function goesOutSoon({ goesOutAt }: { goesOutAt: Date }): boolean {
  return goesOutAt.getTime() < Date.now() + SOON_MS
}

type DashboardScreenProps = FirstActs & {
  /** Somebody has just begun a trial. */
  welcome: boolean
  onWelcomed: () => void
}

export function DashboardScreen({ welcome, onWelcomed, ...acts }: DashboardScreenProps) {
  const dashboard = trpc.dashboard.get.useQuery(undefined, {
    // Until reminders on their way are sent; those deferred by the mail server are not watched.
    refetchInterval: ({ state }) => state.data?.plannedReminders.some(goesOutSoon) === true && WATCH_MS,
  })
  const { data, error } = dashboard
  useWelcome(welcome, onWelcomed)
  const steps = useFirstSteps(data)
  const kept = useKeptFocus(`${data?.sampleImportId} ${steps.isShown}`)
  return (
    <Stack gap="lg">
      <PageHeader title="Dashboard" description="Your contracts and their renewals at a glance">
        <Button variant="default" leftSection={<PlusIcon />} onClick={acts.onAddCustomer}>
          Add Customer
        </Button>
        <Button leftSection={<PlusIcon />} onClick={() => acts.onAddContract(steps.isEmpty)}>
          Add Contract
        </Button>
      </PageHeader>
      {error && (
        <ErrorState
          over={!dashboard.isLoadingError}
          message={failureText(error, FAILURE)}
          retrying={dashboard.isFetching}
          onRetry={() => void dashboard.refetch()}
        />
      )}
      {data && (
        <Stack gap="lg" className={classes.notes ?? ''} {...kept}>
          <SampleBanner importId={data.sampleImportId} />
          {steps.isShown && <FirstSteps dashboard={data} onClose={steps.close} {...acts} />}
        </Stack>
      )}
      {(data || !error) && !steps.isEmpty && (
        <>
          <DashboardFigures dashboard={data} />
          <AttentionCard dashboard={data} />
          {/* Below a list whose length is not known before it is there. */}
          {data && <Charts dashboard={data} />}
          {data && <RatioCards dashboard={data} />}
        </>
      )}
    </Stack>
  )
}
