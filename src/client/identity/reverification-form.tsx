import '@mantine/core/styles/PasswordInput.layer.css'
import type { SessionVerificationResource, SignedInSessionResource } from '@clerk/clerk-react/types'
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { asStep, useAttempt } from './use-attempt.ts'

export interface BegunVerification {
  session: SignedInSessionResource
  verification: SessionVerificationResource
}

type Way = 'password' | 'email_code' | 'totp' | 'backup_code'

const WAYS: Record<Way, { label: string; instead: string; empty: string }> = {
  password: { label: 'Password', instead: 'Use Your Password', empty: 'Enter your password' },
  email_code: { label: 'Code from your email', instead: 'Email Me a Code', empty: 'Enter the code' },
  totp: { label: 'Code from your authenticator app', instead: 'Use Your Authenticator App', empty: 'Enter the code' },
  backup_code: { label: 'Backup code', instead: 'Use a Backup Code', empty: 'Enter a backup code' },
}

interface ReverificationFormProps extends BegunVerification {
  onProven: () => void
  onCancel: () => void
}

/** One way to confirm the person's identity, with buttons for the others. */
export function ReverificationForm({ onProven, onCancel, ...begun }: ReverificationFormProps) {
  const ways = waysOf(begun.verification)
  const [way, setWay] = useState<Way>(ways[0] ?? 'password')
  const { form, busy, failure, prove, mail } = useProof(begun, way, onProven)
  const goTo = async (next: Way) => {
    form.reset()
    if (next !== 'email_code' || (await mail())) setWay(next)
  }
  // The field appears after the dialog has set the focus.
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [way])
  const props = { ref: field, label: WAYS[way].label, ...form.getInputProps('proof') }
  return (
    <form noValidate aria-label="Confirm it's you" aria-busy={busy} onSubmit={form.onSubmit(prove)}>
      <Stack>
        {way === 'email_code' && <Text size="sm">We sent a code to your email address.</Text>}
        {way === 'password' ? (
          <PasswordInput key={way} autoComplete="current-password" {...props} />
        ) : (
          <TextInput key={way} autoComplete="one-time-code" {...props} />
        )}
        <Group justify="space-between">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} variant="subtle" size="compact-sm" disabled={busy} onClick={() => void goTo(other)}>
                {WAYS[other].instead}
              </Button>
            ))}
        </Group>
        <DialogButtons error={failure}>
          <Button variant="default" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Confirm
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

function useProof({ session, verification }: BegunVerification, way: Way, onProven: () => void) {
  const form = useForm({
    initialValues: { proof: '' },
    validate: { proof: (proof) => (proof.trim() === '' ? WAYS[way].empty : null) },
  })
  const { busy, failure, attempt } = useAttempt(form, { password: 'proof', code: 'proof' })
  const steps = {
    password: (password: string) => session.attemptFirstFactorVerification({ strategy: 'password', password }),
    email_code: (code: string) => session.attemptFirstFactorVerification({ strategy: 'email_code', code: code.trim() }),
    totp: (code: string) => session.attemptSecondFactorVerification({ strategy: 'totp', code: code.trim() }),
    backup_code: (code: string) =>
      session.attemptSecondFactorVerification({ strategy: 'backup_code', code: code.trim() }),
  }
  const mailCode = async () => {
    const factor = verification.supportedFirstFactors?.find(({ strategy }) => strategy === 'email_code')
    if (factor?.strategy === 'email_code') await session.prepareFirstFactorVerification(factor)
  }
  return {
    form,
    busy,
    failure,
    mail: () => attempt(asStep(mailCode)),
    prove: async ({ proof }: { proof: string }) => {
      // The token says when the person last confirmed.
      const renewToken = () => session.getToken({ skipCache: true })
      if (
        await attempt(
          asStep(() => steps[way](proof)),
          asStep(renewToken),
        )
      )
        onProven()
    },
  }
}

/** The ways this person has, the best first. */
function waysOf({ status, supportedFirstFactors, supportedSecondFactors }: SessionVerificationResource): Way[] {
  const factors = status === 'needs_second_factor' ? supportedSecondFactors : supportedFirstFactors
  const offered = new Set<string>(factors?.map(({ strategy }) => strategy))
  return (['password', 'totp', 'email_code', 'backup_code'] as const).filter((way) => offered.has(way))
}
