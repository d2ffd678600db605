import { Button, Stack } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useEffect, useEffectEvent, useState } from 'react'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { watchInterval } from '#client/mail/by-hand/use-send-reminder.ts'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { showToast } from '#client/ui/toasts/toasts.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { AttentionCard } from './attention-card.tsx'
import { Charts } from './charts/charts.tsx'
import { DashboardFigures } from './dashboard-figures.tsx'
import { FirstSteps, type FirstStepActions } from './first-steps.tsx'
import { RatioCards } from './ratio-cards.tsx'
import { SampleBanner } from './sample-data.tsx'
import classes from './dashboard-screen.module.css'

const FAILURE = {
  failed: 'Failed to fetch dashboard',
  signedOut: 'You are not logged in. Please log in to view the dashboard.',
  noToken: 'Unable to get authentication token.',
}

type DashboardScreenProps = FirstStepActions & {
  /** A trial has just started. */
  welcome: boolean
  onWelcomed: () => void
}

export function DashboardScreen({ welcome, onWelcomed, ...actions }: DashboardScreenProps) {
  const dashboard = trpc.dashboard.get.useQuery(undefined, {
    refetchInterval: ({ state }) => watchInterval(state.data?.plannedReminders),
  })
  const { data, error } = dashboard
  useWelcome(welcome, onWelcomed)
  const steps = useFirstSteps(data)
  const kept = useKeptFocus(`${data?.sampleImportId} ${steps.isShown}`)
  return (
    <Stack gap="lg">
      <PageHeader title="Dashboard" description="Your contracts and their renewals at a glance">
        <Button variant="default" leftSection={<PlusIcon />} onClick={actions.onAddCustomer}>
          Add Customer
        </Button>
        <Button leftSection={<PlusIcon />} onClick={() => actions.onAddContract(steps.isEmpty)}>
          Add Contract
        </Button>
      </PageHeader>
      <QueryError query={dashboard} {...FAILURE} />
      {data && (
        <Stack gap="lg" className={classes.notes ?? ''} {...kept}>
          <SampleBanner importId={data.sampleImportId} />
          {steps.isShown && (
            <FirstSteps dashboard={data} emptyDashboard={steps.emptyDashboard} onClose={steps.close} {...actions} />
          )}
        </Stack>
      )}
      {(data || !error) && !steps.isInsteadOfFigures && (
        <>
          <DashboardFigures dashboard={data} />
          <AttentionCard dashboard={data} />
          {/* Below a list of unknown length. */}
          {data && <Charts dashboard={data} />}
          {data && <RatioCards dashboard={data} />}
        </>
      )}
    </Stack>
  )
}

/** Until there is a contract, the first steps stand in place of the empty dashboard, which can be opened; then they can be closed. */
function useFirstSteps(dashboard: Outputs['dashboard']['get'] | undefined) {
  const [wasEmpty, setWasEmpty] = useState(false)
  const [isEmptyShown, setEmptyShown] = useState(false)
  const isEmpty = dashboard?.totalContracts === 0
  if (isEmpty && !wasEmpty) setWasEmpty(true)
  const close = () => {
    ignoreSecondClick()
    setWasEmpty(false)
  }
  const isSample = dashboard !== undefined && dashboard.sampleImportId !== null
  return {
    isEmpty,
    isInsteadOfFigures: isEmpty && !isEmptyShown,
    emptyDashboard: isEmpty ? { isShown: isEmptyShown, toggle: () => setEmptyShown(!isEmptyShown) } : undefined,
    isShown: isEmpty || (wasEmpty && !isSample),
    close: isEmpty ? undefined : close,
  }
}

const SHOWN_MS = 5000

/** Greets a new trial for 5 seconds. */
function useWelcome(isWelcome: boolean, onShown: () => void): void {
  const shown = useEffectEvent(onShown)
  useEffect(() => {
    if (!isWelcome) return undefined
    showToast({ tone: 'success', text: WELCOME, durationMs: SHOWN_MS })
    const timer = setTimeout(() => shown(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isWelcome])
}

const WELCOME = 'Welcome to TRAXX! Your free trial has started successfully.'
