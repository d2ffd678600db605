import { Alert, Badge, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RestFailure } from '#client/api/rest-failure.ts'
import { restFetch, type GetToken } from '#client/api/rest-request.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'

interface DashboardCall {
  /** Undefined if there was no response. */
  status?: number | undefined
  /** The numbers in the response, by name; of a list, its length. */
  figures?: [name: string, value: number][]
  error?: string
}

/** GET /dashboard with the session's token, as an outside program would call it. */
async function callDashboard(getToken: GetToken): Promise<DashboardCall> {
  try {
    const response = await restFetch({ path: '/dashboard' }, getToken)
    return { status: response.status, figures: figuresOf(await response.json()) }
  } catch (error) {
    const { status, message } = error instanceof RestFailure ? error : RestFailure.noResponse()
    return { status, error: message }
  }
}

function figuresOf(dashboard: unknown): [name: string, value: number][] {
  return Object.entries(Object(dashboard)).flatMap(([name, value]): [string, number][] => {
    if (Array.isArray(value)) return [[name, value.length]]
    return typeof value === 'number' ? [[name, value]] : []
  })
}

/** Shows whether the server accepts the session's token: one call, its status, and the numbers in its response. */
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
          Call Again
        </Button>
      </PageHeader>
      <Paper withBorder p="lg" aria-live="polite" aria-busy={call.isFetching}>
        {call.data ? <Outcome {...call.data} /> : <Text c="dimmed">Calling...</Text>}
      </Paper>
    </Stack>
  )
}

function Outcome({ status, figures = [], error }: DashboardCall) {
  return (
    <Stack>
      <Group gap="sm">
        <Text ff="monospace">GET /dashboard</Text>
        <Badge color={error ? 'red' : 'green'}>{status ?? 'No response'}</Badge>
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
