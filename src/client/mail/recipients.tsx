import { Text } from '@mantine/core'

interface Reader {
  /** Of a contact that is not the first. */
  name: string | null
  email: string | null
  /** Why the email does not go there. */
  obstacle: string | null
}

interface RecipientsProps {
  customerName: string
  readers: readonly Reader[]
}

/** Who at a customer gets an email, and why others do not. */
export function Recipients({ customerName, readers }: RecipientsProps) {
  const reached = readers.filter(({ obstacle }) => obstacle === null)
  return (
    <div>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {reached.length > 0
          ? `To ${customerName}: ${reached.map(nameOf).join(', ')}`
          : `Nobody at ${customerName} gets it`}
      </Text>
      {readers
        .filter(({ obstacle }) => obstacle !== null)
        .map((reader) => (
          <Text key={nameOf(reader)} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {`Not to ${nameOf(reader)}: ${reader.obstacle}`}
          </Text>
        ))}
    </div>
  )
}

function nameOf({ name, email }: Reader): string {
  if (!email) return name ?? 'the first contact'
  return name ? `${email} (${name})` : email
}
