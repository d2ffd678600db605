import { Button, Group, Stack, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { browserTimeZone, formatDate, formatInstant } from '#client/format.ts'
import { trpc, type Answers } from '#client/trpc.ts'
import { useRowDialog } from '#client/ui/use-row-dialog.ts'
import { Card } from './card.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { useCreateKey } from './use-create-key.ts'

export type ApiKey = Answers['identity']['apiKeys'][number]

/** Keys with which other programs reach the account. */
export function ApiKeysCard() {
  const [keys] = trpc.identity.apiKeys.useSuspenseQuery()
  const creating = useCreateKey()
  const revoking = useRowDialog<ApiKey>()
  return (
    <Card title="API keys" action={<CreateButton onClick={creating.open} />}>
      <Text c="dimmed">
        For scripts and other programs: sent as a bearer token, a key can do what you can do with your customers and
        contracts.
      </Text>
      {keys.length === 0 && <Text size="sm">You have no API keys.</Text>}
      {keys.length > 0 && (
        <Stack component="ul" gap="sm" m={0} p={0} aria-label="API keys" style={{ listStyle: 'none' }}>
          {keys.map((key) => (
            <KeyItem key={key.id} apiKey={key} onRevoke={() => revoking.open(key)} />
          ))}
        </Stack>
      )}
      <CreateKeyDialog creating={creating} />
      <RevokeKeyDialog opened={revoking.opened} apiKey={revoking.row} onClose={revoking.close} />
    </Card>
  )
}

function CreateButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="xs" leftSection={<PlusIcon aria-hidden />} onClick={onClick}>
      Create key
    </Button>
  )
}

function KeyItem({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, createdAt, lastUsedAt } = apiKey
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="center">
      <div style={{ minWidth: 0 }}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Created {formatDate(createdAt)}, {lastUsedAt ? `last used ${moment(lastUsedAt)}` : 'never used'}
        </Text>
      </div>
      <Button variant="default" size="xs" flex="none" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </Group>
  )
}

function moment(value: Date): string {
  return formatInstant(value, browserTimeZone())
}
