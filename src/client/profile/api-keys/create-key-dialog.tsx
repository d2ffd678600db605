import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { useKeptFocus } from '#client/ui/use-kept-focus.ts'
import { KeyForm } from './key-form.tsx'
import type { Creating } from './use-create-key.ts'

/** Asks what the key is for, creates it, and shows it once. */
export function CreateKeyDialog({ creating }: { creating: Creating }) {
  const { opened, made, busy, covered, close, forget } = creating
  // The focused field is replaced.
  const kept = useKeptFocus(made ? 'key' : 'name')
  const title = made ? 'Your new API key' : 'Create API Key'
  return (
    <Dialog opened={opened} title={title} busy={busy} covered={covered} onClose={close} onClosed={forget}>
      <div {...kept}>{made ? <MadeKey value={made} onDone={close} /> : <KeyForm {...creating} />}</div>
    </Dialog>
  )
}

function MadeKey({ value, onDone }: { value: string; onDone: () => void }) {
  const { copy, copied, error } = useClipboard()
  return (
    <Stack>
      <Alert color="yellow" role="status">
        Copy it now. You will not be able to see it again.
      </Alert>
      <TextInput
        label="API key"
        readOnly
        value={value}
        error={error && 'Your browser blocked copying. Select the key and copy it yourself'}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Text size="sm" c="dimmed">
        Keep it safe, like a password. Anyone who has it can use it.
      </Text>
      <DialogButtons>
        <Button variant="default" onClick={() => copy(value)}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </DialogButtons>
    </Stack>
  )
}
