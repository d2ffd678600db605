import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { browserTimeZone, formatDate, formatDay, formatInstant } from '#client/text/format.ts'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { useRowDialog } from '#client/ui/dialogs/use-dialog-about.ts'
import { Card } from '#client/ui/cards/card.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { RevokeKeyDialog, type ApiKey } from './revoke-key-dialog.tsx'
import { SCOPE_TEXTS } from './scope-texts.ts'
import { useCreateKey } from './use-create-key.ts'

/** Keys with which other programs reach the account. */
export function ApiKeysCard() {
  const [keys] = trpc.identity.apiKeys.useSuspenseQuery()
  const creating = useCreateKey()
  const revoking = useRowDialog<ApiKey>()
  return (
    <Card title="API keys" action={<CreateButton onClick={creating.open} />}>
      <Text c="dimmed">
        Let scripts and other programs use your account. You decide what each key can do and when it expires.
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
    <ChangeButton variant="default" size="xs" leftSection={<PlusIcon aria-hidden />} onClick={onClick}>
      Create Key
    </ChangeButton>
  )
}

function KeyItem({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, scope, createdAt } = apiKey
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="center">
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Badge color="gray">{SCOPE_TEXTS[scope].label}</Badge>
          {apiKey.isExpired && <Badge color="red">Expired</Badge>}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Created {formatDate(createdAt)}, {usageText(apiKey)}
          {endText(apiKey)}
        </Text>
      </div>
      <Button variant="default" size="xs" flex="none" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </Group>
  )
}

function usageText({ lastUsedAt, lastUsedAddress }: ApiKey): string {
  if (!lastUsedAt) return 'never used'
  return `last used ${moment(lastUsedAt)}${lastUsedAddress ? ` from ${lastUsedAddress}` : ''}`
}

function endText({ expiresOn, isExpired }: ApiKey): string {
  if (!expiresOn) return ''
  return isExpired ? `, worked until ${formatDay(expiresOn)}` : `, works until ${formatDay(expiresOn)}`
}

function moment(value: Date): string {
  return formatInstant(value, browserTimeZone())
}
