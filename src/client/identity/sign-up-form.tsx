import '@mantine/core/styles/PasswordInput.layer.css'
import { useSignUp } from '@clerk/clerk-react'
import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { CodeForm } from './code-form.tsx'
import { IdentityForm } from './identity-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { usePendingSignUp } from './use-pending-sign-up.ts'

interface SignUpProps {
  title: string
  lead: ReactNode
}

/** Signs up with e-mail and password, then asks for the code that was mailed. */
export function SignUp(props: SignUpProps) {
  const isPending = usePendingSignUp()
  // The form stays until the code is on its way, to say so where it is not.
  const [isSending, setIsSending] = useState(false)
  return isPending && !isSending ? <VerifyEmail /> : <SignUpForm {...props} onSending={setIsSending} />
}

interface SignUpFormProps extends SignUpProps {
  onSending: (isSending: boolean) => void
}

function SignUpForm({ title, lead, onSending }: SignUpFormProps) {
  const { signUp } = useSignUp()
  const form = useForm({
    initialValues: { firstName: '', lastName: '', emailAddress: '', password: '' },
    validate: { emailAddress: isNotEmpty('Enter your email address'), password: isNotEmpty('Enter a password') },
  })
  const { attempt, ...state } = useAttempt(form)
  const submit = form.onSubmit(async ({ emailAddress, password, firstName, lastName }) => {
    onSending(true)
    const isDone = await attempt(
      () => signUp.password({ emailAddress: emailAddress.trim(), password, ...given({ firstName, lastName }) }),
      () => (signUp.status === 'complete' ? signUp.finalize() : signUp.verifications.sendEmailCode()),
    )
    if (isDone) onSending(false)
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

function VerifyEmail() {
  const { signUp } = useSignUp()
  return (
    <CodeForm
      sentTo={signUp.emailAddress}
      steps={(code) => [() => signUp.verifications.verifyEmailCode({ code }), () => signUp.finalize()]}
      sendAgain={() => signUp.verifications.sendEmailCode()}
      startOver={{ label: 'Use another email address', act: () => signUp.reset() }}
    />
  )
}

function given(names: { firstName: string; lastName: string }): { firstName?: string; lastName?: string } {
  return Object.fromEntries(
    Object.entries(names)
      .map(([key, name]) => [key, name.trim()])
      .filter(([, name]) => name !== ''),
  )
}
