import '@mantine/core/styles/Divider.layer.css'
import { Divider, Group, Stack, Text } from '@mantine/core'

/** What is paid today; without the trial if it was used. */
export function OrderSummary({ hadTrial }: { hadTrial: boolean }) {
  return (
    <Stack gap="xs" role="group" aria-label="Order summary">
      <Line name="Subtotal" amount="$29.00" />
      {!hadTrial && <Line name="Free trial discount" amount="-$29.00" />}
      <Divider />
      <Line name="Today's total" amount={hadTrial ? '$29.00' : '$0.00'} strong />
      <Text size="sm" c="dimmed">
        {hadTrial ? '$29.00/month, cancel anytime' : '$29.00/month is charged after the trial'}
      </Text>
    </Stack>
  )
}

function Line({ name, amount, strong = false }: { name: string; amount: string; strong?: boolean }) {
  return (
    <Group justify="space-between" fw={strong ? 700 : 400}>
      <span>{name}</span>
      <span>{amount}</span>
    </Group>
  )
}
