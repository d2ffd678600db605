import { Badge, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatDay } from '#client/text/format.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { ContractSettings } from './contract-settings.tsx'
import { CertificateButton } from '#client/mail/certificate-button.tsx'
import { lineText, occasionText, stateOf, waitText } from '#client/mail/reminder-words.ts'

const SHORT = 3

type Reminders = Outputs['reminders']['ofContract']

/** The messages of one contract, past and planned, and its own settings. */
export function ContractReminders({ contractId }: { contractId: number }) {
  const heading = useId()
  const [editing, setEditing] = useState(false)
  const reminders = trpc.reminders.ofContract.useQuery({ id: contractId })
  return (
    <Stack component="section" gap="sm" aria-labelledby={heading}>
      <Group justify="space-between">
        <Title order={3} size="h5" id={heading}>
          Reminders
        </Title>
        {reminders.data && !editing && (
          <ChangeButton size="xs" variant="default" onClick={() => setEditing(true)}>
            {hasOwn(reminders.data) ? 'Edit Custom Settings' : 'Customize for This Contract'}
          </ChangeButton>
        )}
      </Group>
      <QueryError query={reminders} failed="Failed to fetch reminders" />
      {reminders.isPending && <Loader size="xs" role="status" aria-label="Loading..." />}
      {reminders.data && editing && (
        <ContractSettings id={contractId} reminders={reminders.data} onClose={() => setEditing(false)} />
      )}
      {reminders.data && <Muting id={contractId} reminders={reminders.data} />}
      {reminders.data && <Lists reminders={reminders.data} />}
    </Stack>
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

// Long text beside it shrinks.
const WHOLE = { flex: 'none' }

function Lists({ reminders: { next, history } }: { reminders: Reminders }) {
  return (
    <>
      <Rows title="Next" none="Nothing is planned in the next 90 days">
        {next.map((message) => (
          <Row
            key={[message.kind, message.offset, message.recipient, message.contactId, message.channel].join(' ')}
            text={`${formatDay(message.day)}: ${occasionText(message)}`}
            line={lineText(message)}
            badge={
              <Badge color={message.obstacle ? 'yellow' : 'gray'} style={WHOLE}>
                {message.obstacle ? 'Will be skipped' : 'Planned'}
              </Badge>
            }
            note={message.obstacle}
          />
        ))}
      </Rows>
      <Rows title="History" none="Nothing yet">
        {history.map((message) => (
          <Row
            key={message.id}
            text={`${formatDay(message.day)}: ${occasionText(message)}`}
            line={lineText(message)}
            badge={
              <Badge color={stateOf(message).color} style={WHOLE}>
                {stateOf(message).label}
              </Badge>
            }
            note={message.reason ?? waitText(message)}
            action={message.hasCertificate && <CertificateButton message={message} size="compact-sm" />}
          />
        ))}
      </Rows>
    </>
  )
}

function Rows({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  const heading = useId()
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? children : children.slice(0, SHORT)
  return (
    <div>
      <Text size="sm" c="dimmed" id={heading}>
        {title}
      </Text>
      {children.length === 0 && <Text size="sm">{none}</Text>}
      <Stack component="ul" gap={6} p={0} m={0} aria-labelledby={heading} style={{ listStyle: 'none' }}>
        {shown}
      </Stack>
      {children.length > shown.length && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setIsWhole(true)}>
          Show All {children.length}
        </Button>
      )}
    </div>
  )
}

interface RowProps {
  text: string
  line: string
  badge: ReactNode
  note: string | null
  /** What can be done, below the text. */
  action?: ReactNode
}

function Row({ text, line, badge, note, action }: RowProps) {
  return (
    <Group component="li" gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm">
          {text}
          <Text component="span" size="sm" c="dimmed">
            {` (${line})`}
          </Text>
          {note && (
            <Text component="span" display="block" size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </Text>
        {action}
      </div>
      {badge}
    </Group>
  )
}

function hasOwn({ own }: Reminders): boolean {
  return Object.values(own).some((value) => value !== null)
}
