import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { failureText } from '#client/failure-text.ts'
import { trpc } from '#client/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { AttentionCard } from './attention-card.tsx'
import { Charts } from './charts/charts.tsx'
import { DashboardFigures } from './dashboard-figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { RatioCards } from './ratio-cards.tsx'
import { WelcomeBanner } from './welcome-banner.tsx'

const FAILURE = {
  failed: 'Failed to fetch dashboard',
  signedOut: 'You are not logged in. Please log in to view the dashboard.',
}

interface DashboardScreenProps {
  /** Somebody has just begun a trial. */
  welcome: boolean
  onWelcomed: () => void
  onAddContract: () => void
  onAddCustomer: () => void
}

export function DashboardScreen({ welcome, onWelcomed, ...adding }: DashboardScreenProps) {
  const dashboard = trpc.dashboard.get.useQuery()
  const { data, error } = dashboard
  return (
    <Stack gap="lg">
      {welcome && <WelcomeBanner onShown={onWelcomed} />}
      <PageHeader title="Dashboard" description="Your contracts and their renewals at a glance">
        <Button variant="default" leftSection={<PlusIcon />} onClick={adding.onAddCustomer}>
          Add Customer
        </Button>
        <Button leftSection={<PlusIcon />} onClick={adding.onAddContract}>
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
      {data?.totalContracts === 0 && <FirstSteps hasCustomers={data.totalCustomers > 0} {...adding} />}
      {(data || !error) && (
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
