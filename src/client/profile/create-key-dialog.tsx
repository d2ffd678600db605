import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { API_KEY_NAME_MAX } from '#shared/domain/api-key.ts'
import { failureText } from '#client/failure-text.ts'
import { failureOf } from '#client/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import type { useCreateKey } from './use-create-key.ts'

type Creating = ReturnType<typeof useCreateKey>

/** Asks for a name, and shows the key this once. */
export function CreateKeyDialog({ creating }: { creating: Creating }) {
  const { opened, made, busy, close, forget } = creating
  // The field that had the focus gives way.
  const kept = useKeptFocus(made ? 'key' : 'name')
  const title = made ? 'Your new API key' : 'Create API key'
  return (
    <Dialog opened={opened} title={title} busy={busy} onClose={close} onClosed={forget}>
      <div {...kept}>{made ? <MadeKey value={made} onDone={close} /> : <NameForm {...creating} />}</div>
    </Dialog>
  )
}

function NameForm({ form, error, busy, create, close }: Creating) {
  const nameError = error && failureOf(error).fields['name']
  return (
    <form noValidate aria-label="Create API key" onSubmit={form.onSubmit(({ name }) => create({ name }))}>
      <Stack>
        <TextInput
          label="Name"
          description="What will use it, so that you know which one to revoke"
          required
          data-autofocus
          autoComplete="off"
          maxLength={API_KEY_NAME_MAX}
          {...form.getInputProps('name')}
          error={nameError}
        />
        {error && !nameError && (
          <Alert color="red" role="alert">
            {failureText(error, { failed: 'Failed to create the API key' })}
          </Alert>
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function MadeKey({ value, onDone }: { value: string; onDone: () => void }) {
  const { copy, copied, error } = useClipboard()
  return (
    <Stack>
      <Alert color="yellow" role="status">
        Copy it now: it is shown this once, and cannot be shown again.
      </Alert>
      <TextInput
        label="API key"
        readOnly
        value={value}
        error={error && 'Your browser does not let TRAXX copy. Select the key and copy it yourself'}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Text size="sm" c="dimmed">
        Keep it as you keep a password. Whoever has it can read and change your customers and contracts.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => copy(value)}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
