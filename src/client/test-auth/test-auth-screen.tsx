import { Alert, Badge, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useGetToken } from '#client/identity/session-context.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { callDashboard, type DashboardCall } from './call-dashboard.ts'

/** Shows whether the server takes the session's token: one call, its status and what it answers. */
export function TestAuthScreen() {
  const getToken = useGetToken()
  const call = useQuery({
    queryKey: ['test-auth'],
    queryFn: () => callDashboard(getToken),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Stack gap="lg">
      <PageHeader title="Test authentication" description="Calls GET /dashboard with the token of your session.">
        <Button variant="default" loading={call.isFetching} onClick={() => void call.refetch()}>
          Call again
        </Button>
      </PageHeader>
      <Paper withBorder p="lg" aria-live="polite" aria-busy={call.isFetching}>
        {call.data ? <Outcome {...call.data} /> : <Text c="dimmed">Calling...</Text>}
      </Paper>
    </Stack>
  )
}

function Outcome({ status, figures, error }: DashboardCall) {
  return (
    <Stack>
      <Group gap="sm">
        <Text ff="monospace">GET /dashboard</Text>
        <Badge color={error ? 'red' : 'green'}>{status ?? 'No answer'}</Badge>
      </Group>
      {error && <Alert color="red">{error}</Alert>}
      <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 3 }}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} fw={600}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
