import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { MailLimitsCard } from './mail-limits-card.tsx'
import { SettingsForm } from './settings-form.tsx'

const FAILED = 'Failed to load notification settings'

interface SettingsScreenProps {
  /** The ways to other screens. */
  children?: ReactNode
  /** The way to the plan, on which the limits depend. */
  planLink?: ReactNode
}

/** What the account is reminded of, when and how. */
export function SettingsScreen({ children, planLink }: SettingsScreenProps) {
  const settings = trpc.reminders.settings.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <Stack gap="lg">
      <PageHeader title="Notification Settings" description="Which reminders go out, when and to whom">
        {children}
      </PageHeader>
      {settings.error && (
        <ErrorState
          over={!settings.isLoadingError}
          message={failureText(settings.error, { failed: FAILED, network: FAILED })}
          retrying={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
      )}
      {settings.isPending && <Placeholder />}
      {settings.data && <SettingsForm settings={settings.data} />}
      {settings.data && <MailLimitsCard planLink={planLink} />}
    </Stack>
  )
}

function Placeholder() {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>Loading...</VisuallyHidden>
      {[110, 220, 150].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  )
}
