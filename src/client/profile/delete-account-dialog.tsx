import '@mantine/core/styles/List.layer.css'
import { Button, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { deletionConfirmation } from '#shared/schemas/accounts.ts'
import { failureText } from '#client/api/failure-text.ts'
import { useReverified } from '#client/api/use-reverified.ts'
import { trpc } from '#client/api/trpc.ts'
import { useSession } from '#client/identity/session-context.tsx'
import { DialogButtons } from '#client/ui/dialogs/dialog-buttons.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'

/** Says what was deleted and what is kept. */
const FAREWELL = '/account-deleted'

interface DeleteAccountDialogProps {
  opened: boolean
  isSubscribed: boolean
  onClose: () => void
}

/** Says what is removed and what is kept. The account's email has to be typed to confirm. */
export function DeleteAccountDialog({ opened, isSubscribed, onClose }: DeleteAccountDialogProps) {
  const [{ email }] = trpc.identity.account.useSuspenseQuery()
  const [typed, setTyped] = useState('')
  const utils = trpc.useUtils()
  const { leave } = useSession()
  const { reverified, isAsking } = useReverified()
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: (input: { email: string }) => reverified(() => utils.client.identity.deleteAccount.mutate(input)),
    // Clerk no longer knows the person, and may say so instead of signing out.
    onSuccess: () => void leave(FAREWELL).catch(() => location.assign(FAREWELL)),
  })
  const busy = isPending || isSuccess
  const isConfirmed = typed.trim().toLowerCase() === deletionConfirmation(email)
  const forget = () => {
    reset()
    setTyped('')
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isConfirmed) mutate({ email: typed })
  }
  return (
    <Dialog
      opened={opened}
      title="Delete Account"
      size="lg"
      busy={busy}
      covered={isAsking}
      onClose={onClose}
      onClosed={forget}
    >
      <form noValidate aria-label="Delete Account" aria-busy={busy} onSubmit={submit}>
        <Stack>
          <WhatHappens isSubscribed={isSubscribed} />
          <TextInput
            label={`Type ${email || deletionConfirmation(email)} to confirm`}
            type={email ? 'email' : 'text'}
            autoComplete="off"
            styles={{ label: { overflowWrap: 'anywhere' } }}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <DialogButtons error={error ? failureText(error, { failed: 'Failed to delete the account' }) : undefined}>
            <Button variant="default" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={busy} disabled={!isConfirmed}>
              Delete Account
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

function WhatHappens({ isSubscribed }: { isSubscribed: boolean }) {
  return (
    <>
      <Text>
        <strong>Immediately and permanently:</strong> {isSubscribed && 'your subscription is canceled, '}you are signed
        out everywhere, and your customers, contracts, PDFs, reminders, notifications, settings, and API keys are
        removed.
      </Text>
      <Text>
        <strong>What is kept, and why:</strong>
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>Stripe keeps records of your payments, as the law requires. Your cards are removed.</List.Item>
        <List.Item>
          If you used the free trial, we keep a one-way code made from your email address, so that it cannot start a
          second trial. Your address cannot be read from the code.
        </List.Item>
        <List.Item>
          If customers unsubscribed or reported you, we keep one-way codes of their addresses and yours, so that a new
          account does not email them.
        </List.Item>
      </List>
    </>
  )
}
