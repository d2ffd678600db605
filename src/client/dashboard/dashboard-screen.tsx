import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { failureText } from '#client/failure-text.ts'
import { trpc } from '#client/trpc.ts'
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
import { WelcomeBanner } from './welcome-banner.tsx'

const FAILURE = {
  failed: 'Failed to fetch dashboard',
  signedOut: 'You are not logged in. Please log in to view the dashboard.',
}

type DashboardScreenProps = FirstActs & {
  /** Somebody has just begun a trial. */
  welcome: boolean
  onWelcomed: () => void
}

export function DashboardScreen({ welcome, onWelcomed, ...acts }: DashboardScreenProps) {
  const dashboard = trpc.dashboard.get.useQuery()
  const { data, error } = dashboard
  const steps = useFirstSteps(data)
  const kept = useKeptFocus(`${data?.sampleImportId} ${steps.isShown}`)
  return (
    <Stack gap="lg">
      {welcome && <WelcomeBanner onShown={onWelcomed} />}
      <PageHeader title="Dashboard" description="Your contracts and their renewals at a glance">
        <Button variant="default" leftSection={<PlusIcon />} onClick={acts.onAddCustomer}>
          Add Customer
        </Button>
        <Button leftSection={<PlusIcon />} onClick={acts.onAddContract}>
          Add Contract
        </Button>
      </PageHeader>
      {error && (
        <ErrorState
          message={failureText(error, FAILURE)}
          retrying={dashboard.isFetching}
          onRetry={() => void dashboard.refetch()}
        />
      )}
      {data && (
        <Stack gap="lg" {...kept}>
          <SampleBanner importId={data.sampleImportId} />
          {steps.isShown && <FirstSteps dashboard={data} onClose={steps.close} {...acts} />}
        </Stack>
      )}
      {(data || !error) && !steps.isEmpty && (
        <>
          <DashboardFigures dashboard={data} />
          <Charts dashboard={data} />
          <RatioCards dashboard={data} />
          <AttentionCard dashboard={data} />
        </>
      )}
    </Stack>
  )
}
