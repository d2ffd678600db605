import { useSignIn } from '@clerk/clerk-react'
import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { IdentityForm } from './identity-form.tsx'
import { useAttempt } from '#client/identity/use-attempt.ts'

const TOTP = {
  label: 'Authentication code',
  lead: 'Enter the 6-digit code from your authenticator app.',
  other: 'Use a Backup Code',
}
const BACKUP = {
  label: 'Backup code',
  lead: 'Enter one of the backup codes you saved when you set up two-factor sign-in. Each code works once.',
  other: 'Use Your Authenticator App',
}

/** The second step of signing in, with an authenticator app. */
export function SecondFactorForm({ onStartOver }: { onStartOver: () => void }) {
  const { signIn } = useSignIn()
  const [isBackup, setIsBackup] = useState(false)
  const { label, lead, other } = isBackup ? BACKUP : TOTP
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'Enter the code' : null) },
  })
  const { attempt, ...state } = useAttempt(form)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [isBackup])

  const submit = form.onSubmit(async ({ code }) => {
    const typed = { code: code.replaceAll(/\s/g, '') }
    await attempt(
      () => (isBackup ? signIn.mfa.verifyBackupCode(typed) : signIn.mfa.verifyTOTP(typed)),
      () => signIn.finalize(),
    )
  })
  const change = () => {
    form.reset()
    setIsBackup(!isBackup)
  }
  const footer = (
    <Group justify="center" gap="xs">
      <Button variant="subtle" size="compact-sm" onClick={change}>
        {other}
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={onStartOver}>
        Start Over
      </Button>
    </Group>
  )
  return (
    <IdentityForm
      title="Two-factor sign-in"
      lead={lead}
      submitLabel="Verify"
      onSubmit={submit}
      footer={footer}
      {...state}
    >
      <TextInput
        ref={field}
        label={label}
        inputMode={isBackup ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="off"
        {...form.getInputProps('code')}
      />
    </IdentityForm>
  )
}
