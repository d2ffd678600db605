import '@mantine/core/styles/PasswordInput.layer.css'
import { useSignIn } from '@clerk/clerk-react'
import { PasswordInput, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState } from 'react'
import { CodeForm } from './code-form.tsx'
import { finishSignIn } from './finish-sign-in.ts'
import { IdentityForm } from './identity-form.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { useAttempt } from '#client/identity/use-attempt.ts'

const STEPS = { address: AskAddress, code: AskCode, password: AskPassword, secondFactor: AskSecondFactor }

interface StepProps {
  /** Goes on to another step. */
  onStep: (step: keyof typeof STEPS) => void
}

/** Resets a forgotten password: address, emailed code, new password; then signs in. */
export function ResetPassword() {
  const [step, setStep] = useState<keyof typeof STEPS>('address')
  const Step = STEPS[step]
  return <Step onStep={setStep} />
}

function AskAddress({ onStep }: StepProps) {
  const { signIn } = useSignIn()
  const form = useForm({
    initialValues: { identifier: '' },
    validate: { identifier: isNotEmpty('Enter your email address') },
  })
  const { attempt, ...state } = useAttempt(form)
  const submit = form.onSubmit(async ({ identifier }) => {
    const sent = await attempt(
      () => signIn.create({ identifier: identifier.trim() }),
      () => signIn.resetPasswordEmailCode.sendCode(),
    )
    if (sent) onStep('code')
  })
  return (
    <IdentityForm title="Reset your password" lead={LEAD} submitLabel="Send Code" onSubmit={submit} {...state}>
      <TextInput label="Email address" type="email" autoComplete="username" {...form.getInputProps('identifier')} />
    </IdentityForm>
  )
}

const LEAD = 'We will send a code to your email address.'

function AskCode({ onStep }: StepProps) {
  const { signIn } = useSignIn()
  const startOver = async () => {
    onStep('address')
    return { error: null }
  }
  return (
    <CodeForm
      sentTo={signIn.identifier}
      steps={(code) => [() => signIn.resetPasswordEmailCode.verifyCode({ code })]}
      sendAgain={() => signIn.resetPasswordEmailCode.sendCode()}
      startOver={{ label: 'Use Another Email Address', act: startOver }}
      onDone={() => onStep('password')}
    />
  )
}

function AskPassword({ onStep }: StepProps) {
  const { signIn } = useSignIn()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: isNotEmpty('Enter a password') },
  })
  const { attempt, ...state } = useAttempt(form)
  const submit = form.onSubmit(({ password }) =>
    attempt(
      () => signIn.resetPasswordEmailCode.submitPassword({ password, signOutOfOtherSessions: true }),
      () => finishSignIn(signIn, () => onStep('secondFactor')),
    ),
  )
  return (
    <IdentityForm title="Choose a new password" submitLabel="Set Password" onSubmit={submit} {...state}>
      <PasswordInput label="New password" autoComplete="new-password" {...form.getInputProps('password')} />
    </IdentityForm>
  )
}

function AskSecondFactor({ onStep }: StepProps) {
  return <SecondFactorForm onStartOver={() => onStep('address')} />
}
