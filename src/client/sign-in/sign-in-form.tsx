import '@mantine/core/styles/PasswordInput.layer.css'
import { useSignIn } from '@clerk/clerk-react'
import { PasswordInput, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { IdentityForm } from './identity-form.tsx'
import { finishSignIn } from './finish-sign-in.ts'
import { SecondFactorForm } from './second-factor-form.tsx'
import { useAttempt } from '#client/identity/use-attempt.ts'

/** Signs in with email, password and second factor. The router then leaves the page by itself. */
export function SignInForm({ forgotten }: { forgotten: ReactNode }) {
  const [isHalfway, setIsHalfway] = useState(false)
  return isHalfway ? (
    <SecondFactorForm onStartOver={() => setIsHalfway(false)} />
  ) : (
    <PasswordStep forgotten={forgotten} onSecondFactor={() => setIsHalfway(true)} />
  )
}

interface PasswordStepProps {
  forgotten: ReactNode
  onSecondFactor: () => void
}

function PasswordStep({ forgotten, onSecondFactor }: PasswordStepProps) {
  const { signIn } = useSignIn()
  const form = useForm({
    initialValues: { identifier: '', password: '' },
    validate: {
      identifier: isNotEmpty('Enter your email address'),
      password: isNotEmpty('Enter your password'),
    },
  })
  const { attempt, ...state } = useAttempt(form)
  const submit = form.onSubmit(async ({ identifier, password }) => {
    await attempt(
      () => signIn.password({ identifier: identifier.trim(), password }),
      () => finishSignIn(signIn, onSecondFactor),
    )
  })
  return (
    <IdentityForm title="Welcome back" submitLabel="Sign In" onSubmit={submit} {...state}>
      <TextInput label="Email address" type="email" autoComplete="username" {...form.getInputProps('identifier')} />
      <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
      {forgotten}
    </IdentityForm>
  )
}
