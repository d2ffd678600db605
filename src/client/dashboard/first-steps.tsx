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
      <Stack component="ol" gap="md" p={0} mx={0} mt={0} mb="lg">
        <Step number={1} done={hasCustomers} title="Add a customer" hint="Somebody you have an agreement with" />
        <Step number={2} title="Add a contract" hint="What was agreed, and when it renews" />
      </Stack>
      {/* One button for both steps, so that the focus is still there when the first is done. */}
      <Button onClick={hasCustomers ? onAddContract : onAddCustomer}>
        {hasCustomers ? 'Add your first contract' : 'Add your first customer'}
      </Button>
    </Paper>
  )
}

interface StepProps {
  number: number
  title: string
  hint: string
  done?: boolean
}

function Step({ number, title, hint, done = false }: StepProps) {
  return (
    <Group component="li" gap="md" wrap="nowrap">
      <ThemeIcon radius="xl" size="lg" variant={done ? 'filled' : 'light'} color={done ? 'green' : 'cobalt'}>
        {done ? <CheckIcon role="img" aria-label="Done" /> : number}
      </ThemeIcon>
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    </Group>
  )
}
