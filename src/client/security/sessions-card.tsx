import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { DesktopIcon, MobileIcon } from '@radix-ui/react-icons'
import { failureText } from '#client/api/failure-text.ts'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { useSession } from '#client/identity/session-context.tsx'
import { Card } from '#client/ui/cards/card.tsx'

type Session = Outputs['identity']['sessions'][number]

/** Where the person is signed in. */
export function SessionsCard() {
  const current = useSession().sessionId()
  const sessions = trpc.identity.sessions.useQuery()
  const utils = trpc.useUtils()
  const ending = trpc.identity.signOutOthers.useMutation({
    onSuccess: ({ count }) => {
      toastSuccess(endedText(count))
      return utils.identity.sessions.invalidate()
    },
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to sign out the other sessions' })),
  })
  const others = sessions.data?.filter(({ id }) => id !== current) ?? []
  const endOthers = () => current && ending.mutate({ keep: current })
  return (
    <Card
      title="Sessions"
      action={others.length > 0 && current && <EndButton busy={ending.isPending} onClick={endOthers} />}
    >
      <Text c="dimmed">Browsers where you are signed in.</Text>
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
      Sign Out Others
    </Button>
  )
}

function endedText(count: number): string {
  return `Signed out ${count === 1 ? '1 other session' : `${count} other sessions`}. This can take up to a minute.`
}

function SessionList({ sessions, current }: { sessions: Session[]; current: string | undefined }) {
  return (
    <Stack component="ul" gap="sm" m={0} p={0} aria-label="Sessions" style={{ listStyle: 'none' }}>
      {sessions.map((session) => (
        <SessionItem key={session.id} session={session} isHere={session.id === current} />
      ))}
    </Stack>
  )
}

function SessionItem({ session, isHere }: { session: Session; isHere: boolean }) {
  const utils = trpc.useUtils()
  const { mutate, isPending } = trpc.identity.endSession.useMutation({
    onSuccess: () => toastSuccess(`Signed out ${session.device}. This can take up to a minute.`),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to sign out this session' })),
    // Also if it had already ended.
    onSettled: () => utils.identity.sessions.invalidate(),
  })
  return (
    <Group component="li" wrap="nowrap" gap="sm" align="flex-start">
      <DeviceIcon isMobile={session.isMobile} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={500}>{session.device}</Text>
          {isHere && <Badge color="green">This browser</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {lastSeen(session)}
        </Text>
      </div>
      {!isHere && (
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-label={`Sign Out ${session.device}`}
          loading={isPending}
          onClick={() => {
            ignoreSecondClick()
            mutate({ id: session.id })
          }}
        >
          Sign Out
        </Button>
      )}
    </Group>
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
