import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { EmailAddressResource } from '@clerk/clerk-react/types'
import { useState } from 'react'
import { trpc } from '#client/api/trpc.ts'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { ignoreHeldEnter } from '#client/ui/ignore-held-enter.ts'
import { usePerson } from './session-context.tsx'
import { isAlreadyVerified } from './clerk-texts.ts'
import { asStep, useAttempt } from './use-attempt.ts'

interface VerifyAddressProps {
  /** Called once the server knows that the address is verified. */
  onVerified?: () => void
}

/** Sends a code to the person's own address, and takes it. */
export function VerifyAddress({ onVerified }: VerifyAddressProps) {
  const person = usePerson()
  if (!person) return <Skeleton h={130} role="status" aria-label="Loading" />
  const address = person.primaryEmailAddress
  if (address) return <CodeForm address={address} {...(onVerified && { onVerified })} />
  return (
    <Text>
      Your account has no email address.{' '}
      <Anchor underline="always" href="/contact">
        Contact us
      </Anchor>{' '}
      to add one.
    </Text>
  )
}

function CodeForm({ address, onVerified }: VerifyAddressProps & { address: EmailAddressResource }) {
  const { form, sent, pending, failure, send, confirm } = useVerification(address, onVerified)
  return (
    <form
      noValidate
      aria-label="Verify your email address"
      aria-busy={pending !== undefined}
      onSubmit={confirm}
      onKeyDownCapture={ignoreHeldEnter}
    >
      <Stack gap="sm">
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {sent
            ? `We sent a code to ${address.emailAddress}. It is valid for 10 minutes.`
            : `Send a code to ${address.emailAddress}, then enter it here.`}
        </Text>
        <Group align="flex-start">
          <TextInput
            aria-label="Verification code"
            placeholder="000000"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            w={140}
            {...form.getInputProps('code')}
          />
          <Button
            type="submit"
            variant={sent ? 'filled' : 'default'}
            loading={pending === 'confirm'}
            disabled={pending === 'send'}
          >
            Verify
          </Button>
          <Button
            variant={sent ? 'default' : 'filled'}
            loading={pending === 'send'}
            disabled={pending === 'confirm'}
            onClick={send}
          >
            {sent ? 'Send a New Code' : 'Send Code'}
          </Button>
        </Group>
        <FormFailure>{failure}</FormFailure>
      </Stack>
    </form>
  )
}

function useVerification(address: EmailAddressResource, onVerified: VerifyAddressProps['onVerified']) {
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (/^\d{6}$/.test(code.trim()) ? null : 'Enter the 6-digit code') },
  })
  const { attempt, failure } = useAttempt(form)
  const refreshAccount = useRefreshAccount()
  const [sent, setSent] = useState(false)
  const [pending, setPending] = useState<'send' | 'confirm'>()

  const run = async (button: 'send' | 'confirm', act: () => Promise<unknown>, ...more: (() => Promise<unknown>)[]) => {
    setPending(button)
    const done = await attempt(...[act, ...more].map(asStep))
    setPending(undefined)
    return done
  }
  const finish = () => onVerified?.()
  const send = async () => {
    form.setErrors({})
    let isVerified = false
    const prepare = unlessVerified(
      () => address.prepareVerification({ strategy: 'email_code' }),
      () => (isVerified = true),
    )
    const refreshIfVerified = async () => (isVerified ? refreshAccount() : undefined)
    if (!(await run('send', prepare, refreshIfVerified))) return
    if (isVerified) return finish()
    setSent(true)
    form.getInputNode('code')?.focus()
  }
  const confirm = form.onSubmit(async ({ code }) => {
    const prove = unlessVerified(() => address.attemptVerification({ code: code.trim() }))
    if (await run('confirm', prove, refreshAccount)) finish()
  })
  return { form, sent, pending, failure, send: () => void send(), confirm }
}

/** Has the server ask Clerk. Messages that waited for the address are then sent. */
function useRefreshAccount(): () => Promise<void> {
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.identity.refresh.useMutation()
  return async () => {
    const account = await mutateAsync()
    if (account.email === '') throw new Error('Your address is not verified yet. Please try again in a minute')
    utils.identity.account.setData(undefined, account)
    await Promise.all([utils.company.get.invalidate(), utils.billing.subscription.invalidate()])
  }
}

/** It may have been verified in another browser meanwhile. */
function unlessVerified(act: () => Promise<unknown>, onVerified?: () => void) {
  return async () => {
    try {
      await act()
    } catch (error) {
      if (!isAlreadyVerified(error)) throw error
      onVerified?.()
    }
  }
}
