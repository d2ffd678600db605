import { Alert, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { DesktopIcon, MobileIcon } from '@radix-ui/react-icons'
import { failureText } from '#client/failure-text.ts'
import { browserTimeZone, formatInstant } from '#client/format.ts'
import { trpc, type Answers } from '#client/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Card } from './card.tsx'

type Session = Answers['identity']['sessions'][number]

/** Where the person is signed in; `current` is the session of this browser. */
export function SessionsCard({ current }: { current: string | undefined }) {
  const sessions = trpc.identity.sessions.useQuery()
  const utils = trpc.useUtils()
  const ending = trpc.identity.signOutOthers.useMutation({ onSuccess: () => utils.identity.sessions.invalidate() })
  const others = sessions.data?.filter(({ id }) => id !== current) ?? []
  const endOthers = () => current && ending.mutate({ keep: current })
  return (
    <Card
      title="Sessions"
      action={others.length > 0 && current && <EndButton busy={ending.isPending} onClick={endOthers} />}
    >
      <Text c="dimmed">The browsers in which you are signed in.</Text>
      {ending.error && (
        <Alert color="red" role="alert">
          {failureText(ending.error, { failed: 'Failed to sign out the other sessions' })}
        </Alert>
      )}
      {ending.isSuccess && (
        <Alert color="green" role="status">
          {endedText(ending.data.count)}
        </Alert>
      )}
      {sessions.data && <SessionList sessions={sessions.data} current={current} />}
      {sessions.isPending && <Skeleton h={44} />}
      {sessions.isError && !sessions.data && (
        <ErrorState
          message={failureText(sessions.error, { failed: 'Failed to load your sessions' })}
          retrying={sessions.isFetching}
          onRetry={() => void sessions.refetch()}
        />
      )}
    </Card>
  )
}

function EndButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" loading={busy} onClick={onClick}>
      Sign out others
    </Button>
  )
}

function endedText(count: number): string {
  return `Signed out ${count === 1 ? '1 other session' : `${count} other sessions`}. It can take a minute to show there.`
}

function SessionList({ sessions, current }: { sessions: Session[]; current: string | undefined }) {
  return (
    <Stack component="ul" gap="sm" m={0} p={0} aria-label="Sessions" style={{ listStyle: 'none' }}>
      {sessions.map((session) => (
        <Group component="li" key={session.id} wrap="nowrap" gap="sm" align="flex-start">
          <DeviceIcon isMobile={session.isMobile} />
          <div>
            <Group gap="xs">
              <Text fw={500}>{session.device}</Text>
              {session.id === current && <Badge color="green">This browser</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              {lastSeen(session)}
            </Text>
          </div>
        </Group>
      ))}
    </Stack>
  )
}

function lastSeen({ place, lastActiveAt }: Session): string {
  const moment = formatInstant(lastActiveAt, browserTimeZone())
  return place ? `${place}, last active ${moment}` : `Last active ${moment}`
}

function DeviceIcon({ isMobile }: { isMobile: boolean }) {
  const Icon = isMobile ? MobileIcon : DesktopIcon
  return <Icon aria-hidden width={20} height={20} style={{ flex: 'none', marginTop: 2 }} />
}
