import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioCard.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { API_KEY_NAME_MAX, KEY_SCOPES } from '#shared/domain/api-key.ts'
import { failureText } from '#client/api/failure-text.ts'
import { failureOf } from '#client/api/trpc.ts'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { useUnsaved } from '#client/ui/dialogs/use-unsaved.ts'
import { SCOPE_TEXTS } from './scope-texts.ts'
import type { Creating } from './use-create-key.ts'

/** What a key is for, what it may do and until when. */
export function KeyForm({ form, error, busy, create, close }: Creating) {
  useUnsaved(form.isDirty())
  const failure = error ? failureOf(error) : undefined
  const nameError = failure?.fields['name']
  const endError = failure?.refusal === 'API_KEY_END_PAST' ? failure.message : failure?.fields['expiresOn']
  const other =
    error && !nameError && !endError ? failureText(error, { failed: 'Failed to create the API key' }) : undefined
  return (
    <form noValidate aria-label="Create API Key" onSubmit={form.onSubmit(create)}>
      <Stack>
        <TextInput
          label="Name"
          description="What the key is for, so that you know which one to revoke"
          required
          data-autofocus
          autoComplete="off"
          maxLength={API_KEY_NAME_MAX}
          {...form.getInputProps('name')}
          error={nameError}
        />
        <Radio.Group label="What it can do" {...form.getInputProps('scope')}>
          <Stack gap="xs" mt={6}>
            {KEY_SCOPES.map((scope) => (
              <Radio key={scope} value={scope} {...SCOPE_TEXTS[scope]} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          type="date"
          label="Last day (optional)"
          description="Without one, the key works until you revoke it"
          {...form.getInputProps('expiresOn')}
          error={endError}
        />
        <DialogButtons error={other}>
          <Button variant="default" disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Create
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
