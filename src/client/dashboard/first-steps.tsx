import { Button, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'

interface FirstStepsProps {
  hasCustomers: boolean
  onAddCustomer: () => void
  onAddContract: () => void
}

/** What an account without a contract does first. */
export function FirstSteps({ hasCustomers, onAddCustomer, onAddContract }: FirstStepsProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-label="First steps">
      <Title order={2} size="h4">
        Two steps to your first renewal
      </Title>
      <Text c="dimmed" mb="md">
        TRAXX shows here what your contracts bring in, and which of them need you next.
      </Text>
      <Stack component="ol" gap="md" p={0} m={0}>
        <Step
          number={1}
          done={hasCustomers}
          title="Add a customer"
          hint="Somebody you have an agreement with"
          onAct={onAddCustomer}
        />
        <Step
          number={2}
          title="Add a contract"
          hint="What was agreed, and when it renews"
          onAct={hasCustomers ? onAddContract : undefined}
        />
      </Stack>
    </Paper>
  )
}

interface StepProps {
  number: number
  title: string
  hint: string
  done?: boolean
  /** Undefined while the step has to wait for the one before. */
  onAct: (() => void) | undefined
}

function Step({ number, title, hint, done = false, onAct }: StepProps) {
  return (
    <Group component="li" gap="md" wrap="nowrap">
      <ThemeIcon radius="xl" size="lg" variant={done ? 'filled' : 'light'} color={done ? 'green' : 'cobalt'}>
        {done ? <CheckIcon aria-label="Done" /> : number}
      </ThemeIcon>
      <Stack gap={0} flex={1}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </Stack>
      {!done && onAct && (
        <Button variant="light" onClick={onAct}>
          {number === 1 ? 'Add your first customer' : 'Add your first contract'}
        </Button>
      )}
    </Group>
  )
}
