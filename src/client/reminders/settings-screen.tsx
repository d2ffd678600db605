import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { failureText } from '#client/failure-text.ts'
import { trpc } from '#client/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Flash, useFlash } from '#client/ui/flash.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { SettingsForm } from './settings-form.tsx'

const FAILED = 'Failed to load notification settings'

/** What the account is reminded of, when and how. */
export function SettingsScreen({ children }: { children?: ReactNode }) {
  const settings = trpc.reminders.settings.useQuery(undefined, { refetchOnWindowFocus: false })
  const flash = useFlash()
  return (
    <Stack gap="lg">
      <PageHeader title="Notification Settings" description="Which reminders are sent, when, and to whom">
        {children}
      </PageHeader>
      {settings.error && (
        <ErrorState
          message={failureText(settings.error, { failed: FAILED, network: FAILED })}
          retrying={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
      )}
      {settings.isPending && <Placeholder />}
      {settings.data && <SettingsForm settings={settings.data} flash={flash} />}
      <Flash {...flash} />
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
