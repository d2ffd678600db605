import '@mantine/core/styles/PasswordInput.layer.css'
import { useSignUp } from '@clerk/clerk-react'
import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { CodeForm } from './code-form.tsx'
import { IdentityForm } from './identity-form.tsx'
import { useAttempt } from '#client/identity/use-attempt.ts'
import { usePendingSignUp } from './use-pending-sign-up.ts'

interface SignUpProps {
  title: string
  lead: ReactNode
  /** Called when the account is made, just before the person is signed in. */
  onSignedUp: () => void
}

/** Signs up with email and password, then asks for the emailed code. */
export function SignUp(props: SignUpProps) {
  const isPending = usePendingSignUp()
  // A form stays until its own steps are done, so that it can show why one failed.
  const [stays, setStays] = useState<'form' | 'code'>()
  const asksForCode = stays ? stays === 'code' : isPending
  return asksForCode ? (
    <VerifyEmail onStay={setStays} onSignedUp={props.onSignedUp} />
  ) : (
    <SignUpForm {...props} onStay={setStays} />
  )
}

interface Staying {
  onStay: (stays: 'form' | 'code' | undefined) => void
}

function isAddress(typed: string): string | null {
  if (typed.trim() === '') return 'Enter your email address'
  return /^\S+@\S+\.\S+$/.test(typed.trim()) ? null : 'Enter an email address like name@example.com'
}

function SignUpForm({ title, lead, onSignedUp, onStay }: SignUpProps & Staying) {
  const { signUp } = useSignUp()
  const form = useForm({
    initialValues: { firstName: '', lastName: '', emailAddress: '', password: '' },
    validate: { emailAddress: isAddress, password: isNotEmpty('Enter a password') },
  })
  const { attempt, ...state } = useAttempt(form)
  const submit = form.onSubmit(async ({ emailAddress, password, firstName, lastName }) => {
    onStay('form')
    const isDone = await attempt(
      () => signUp.password({ emailAddress: emailAddress.trim(), password, ...enteredNames({ firstName, lastName }) }),
      () => (signUp.status === 'complete' ? finish(signUp, onSignedUp) : signUp.verifications.sendEmailCode()),
    )
    if (isDone) onStay(undefined)
  })
  return (
    <IdentityForm title={title} lead={lead} submitLabel="Continue" onSubmit={submit} {...state}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="First name (optional)" autoComplete="given-name" {...form.getInputProps('firstName')} />
        <TextInput label="Last name (optional)" autoComplete="family-name" {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput label="Email address" type="email" autoComplete="email" {...form.getInputProps('emailAddress')} />
      <PasswordInput label="Password" autoComplete="new-password" {...form.getInputProps('password')} />
      {/* Clerk puts its bot check here, where one is switched on. */}
      <div id="clerk-captcha" />
    </IdentityForm>
  )
}

function VerifyEmail({ onStay, onSignedUp }: Staying & Pick<SignUpProps, 'onSignedUp'>) {
  const { signUp } = useSignUp()
  const [sentTo] = useState(signUp.emailAddress)
  const verify = async (code: string) => {
    onStay('code')
    // A code works once: if signing in failed after it, only that is repeated.
    return signUp.status === 'complete' ? { error: null } : signUp.verifications.verifyEmailCode({ code })
  }
  const startOver = () => {
    onStay(undefined)
    return signUp.reset()
  }
  return (
    <CodeForm
      sentTo={sentTo}
      steps={(code) => [() => verify(code), () => finish(signUp, onSignedUp)]}
      sendAgain={() => signUp.verifications.sendEmailCode()}
      startOver={{ label: 'Use Another Email Address', act: startOver }}
    />
  )
}

function finish(signUp: { finalize: () => Promise<{ error: unknown }> }, onSignedUp: () => void) {
  onSignedUp()
  return signUp.finalize()
}

function enteredNames(names: { firstName: string; lastName: string }): { firstName?: string; lastName?: string } {
  return Object.fromEntries(
    Object.entries(names)
      .map(([key, name]) => [key, name.trim()])
      .filter(([, name]) => name !== ''),
  )
}
