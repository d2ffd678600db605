import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { Button, Checkbox, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useReverified } from '#client/api/use-reverified.ts'
import { Card } from '#client/ui/cards/card.tsx'
import { ignoreHeldEnter } from '#client/ui/ignore-held-enter.ts'
import { toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { useUser } from '#client/identity/session-context.tsx'
import { asStep, useAttempt } from '#client/identity/use-attempt.ts'

/** Changes the password, or sets the first one. `onChanged`: other browsers may have been signed out by it. */
export function PasswordCard({ onChanged }: { onChanged: () => void }) {
  const user = useUser()
  const { form, busy, failure, submit } = useNewPassword(onChanged)
  return (
    <Card title="Password">
      <form noValidate aria-label="Password" aria-busy={busy} onSubmit={submit} onKeyDownCapture={ignoreHeldEnter}>
        <Stack>
          {!user.passwordEnabled && <Text c="dimmed">You do not have a password yet.</Text>}
          {user.passwordEnabled && (
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              {...form.getInputProps('currentPassword')}
            />
          )}
          <PasswordInput
            label="New password"
            description="At least 8 characters"
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <Checkbox
            label="Sign out everywhere else"
            {...form.getInputProps('signOutOfOtherSessions', { type: 'checkbox' })}
          />
          <Group>
            <Button type="submit" loading={busy}>
              {user.passwordEnabled ? 'Change Password' : 'Set Password'}
            </Button>
          </Group>
          <FormFailure>{failure}</FormFailure>
        </Stack>
      </form>
    </Card>
  )
}

function useNewPassword(onChanged: () => void) {
  const user = useUser()
  const { reverified } = useReverified()
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', signOutOfOtherSessions: true },
    validate: {
      currentPassword: user.passwordEnabled ? isNotEmpty('Enter your current password') : () => null,
      newPassword: isNotEmpty('Enter a new password'),
    },
  })
  const { attempt, ...state } = useAttempt(form, { password: 'newPassword' })
  const submit = form.onSubmit(async ({ currentPassword, ...change }) => {
    const params = user.passwordEnabled ? { ...change, currentPassword } : change
    if (!(await attempt(asStep(() => reverified(() => user.updatePassword(params)))))) return
    form.reset()
    toastSuccess('Your password was changed')
    onChanged()
  })
  return { form, submit, ...state }
}
