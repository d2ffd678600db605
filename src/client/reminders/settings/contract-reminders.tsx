import { Group, Loader, Text } from '@mantine/core'
import { useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatDay } from '#client/text/format.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { ContractSettings } from './contract-settings.tsx'
import { MessageLists } from './message-lists.tsx'

type Reminders = Outputs['reminders']['ofContract']

/** The messages of one contract, past and planned, and its own settings. */
export function ContractReminders({ contractId }: { contractId: number }) {
  const [editing, setEditing] = useState(false)
  const reminders = trpc.reminders.ofContract.useQuery({ id: contractId })
  return (
    <PageSection
      title="Reminders"
      action={
        reminders.data &&
        !editing && (
          <ChangeButton size="xs" variant="default" onClick={() => setEditing(true)}>
            {hasOwn(reminders.data) ? 'Edit Custom Settings' : 'Customize for This Contract'}
          </ChangeButton>
        )
      }
    >
      <QueryError query={reminders} failed="Failed to fetch reminders" />
      {reminders.isPending && <Loader size="xs" role="status" aria-label="Loading..." />}
      {reminders.data && editing && (
        <ContractSettings id={contractId} reminders={reminders.data} onClose={() => setEditing(false)} />
      )}
      {reminders.data && <Muting id={contractId} reminders={reminders.data} />}
      {reminders.data && <MessageLists {...reminders.data} />}
    </PageSection>
  )
}

/** Whether the customer gets emails about this renewal date, and a button to change that. */
function Muting({ id, reminders: { isMuted, renewalDate } }: { id: number; reminders: Reminders }) {
  const utils = trpc.useUtils()
  const mute = trpc.reminders.muteContract.useMutation({
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to save settings' })),
    onSettled: () => utils.reminders.invalidate(),
  })
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">
        {`Emails to the customer about the renewal on ${formatDay(renewalDate)} are turned ${isMuted ? 'off' : 'on'}.`}
      </Text>
      <ChangeButton
        size="xs"
        variant="default"
        flex="none"
        loading={mute.isPending}
        onClick={() => mute.mutate({ id, reminders: isMuted ? 'on' : 'off' })}
      >
        {isMuted ? 'Turn Emails On' : 'Turn Emails Off'}
      </ChangeButton>
    </Group>
  )
}

function hasOwn({ own }: Reminders): boolean {
  return Object.values(own).some((value) => value !== null)
}
