import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { IdentityForm } from './identity-form.tsx'
import { useAttempt, type Step } from '#client/identity/use-attempt.ts'

interface CodeFormProps {
  title?: string
  sentTo: string | null
  /** The steps that use the code, in order. */
  steps: (code: string) => Step[]
  sendAgain: Step
  startOver: { label: string; act: Step }
  onDone?: () => void
}

/** Asks for the six digits that were emailed. */
export function CodeForm({ title = 'Check your email', sentTo, steps, onDone, ...others }: CodeFormProps) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (/^\d{6}$/.test(code.trim()) ? null : 'Enter the 6-digit code') },
  })
  const { attempt, ...state } = useAttempt(form)

  const submit = form.onSubmit(async ({ code }) => {
    if (await attempt(...steps(code.trim()))) onDone?.()
  })
  return (
    <IdentityForm
      title={title}
      lead={`We sent a code to ${sentTo ?? 'your email address'}.`}
      submitLabel="Verify"
      onSubmit={submit}
      footer={<Others {...others} attempt={attempt} />}
      {...state}
    >
      <TextInput
        label="Verification code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...form.getInputProps('code')}
      />
    </IdentityForm>
  )
}

interface OthersProps extends Pick<CodeFormProps, 'sendAgain' | 'startOver'> {
  attempt: (step: Step) => Promise<boolean>
}

function Others({ sendAgain, startOver, attempt }: OthersProps) {
  const [sent, setSent] = useState(false)
  const send = async () => setSent(await attempt(sendAgain))
  return (
    <Group justify="center" gap="xs">
      <Button variant="subtle" size="compact-sm" onClick={() => void send()}>
        {sent ? 'New Code Sent' : 'Send a New Code'}
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={() => void attempt(startOver.act)}>
        {startOver.label}
      </Button>
    </Group>
  )
}
