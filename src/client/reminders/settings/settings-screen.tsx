import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { MailLimitsCard } from './mail-limits-card.tsx'
import { SettingsForm } from './settings-form.tsx'

const FAILED = 'Failed to load notification settings'

interface SettingsScreenProps {
  /** Links to other screens. */
  children?: ReactNode
  /** A link to the plan, on which the limits depend. */
  planLink?: ReactNode
  /** A link to where the time zone is set. */
  timeZoneLink?: ReactNode
}

/** What the account is reminded of, when and how. */
export function SettingsScreen({ children, planLink, timeZoneLink }: SettingsScreenProps) {
  const settings = trpc.reminders.settings.useQuery(undefined, { refetchOnWindowFocus: false })
  return (
    <Stack gap="lg">
      <PageHeader title="Notification Settings" description="Which reminders go out, when, and to whom">
        {children}
      </PageHeader>
      <QueryError query={settings} failed={FAILED} network={FAILED} />
      {settings.isPending && <Placeholder heights={[110, 220, 150]} />}
      {settings.data && <SettingsForm settings={settings.data} timeZoneLink={timeZoneLink} />}
      {settings.data && <MailLimitsCard planLink={planLink} />}
    </Stack>
  )
}
