import { Button, Loader } from '@mantine/core'
import { CheckIcon, EnvelopeClosedIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { failureText } from '#client/failure-text.ts'
import { trpc } from '#client/trpc.ts'
import type { ReminderOutcome } from './reminder-banner.tsx'

const FAILURE = { failed: 'Failed to send reminder', network: 'Network error' }

interface SendReminderProps {
  contract: { id: number; customerName: string }
  /** The contracts whose customers were written to today, as last fetched. */
  remindedToday: number[]
  outcome: ReminderOutcome
}

/** Writes to the contract's customer. It is never disabled, which would lose the focus; it only does nothing. */
export function SendReminder({ contract, remindedToday, outcome }: SendReminderProps) {
  const utils = trpc.useUtils()
  const [sentSince, setSentSince] = useState<number[]>()
  const send = trpc.contracts.sendReminder.useMutation({
    onMutate: outcome.clear,
    onSuccess({ message }) {
      setSentSince(remindedToday)
      outcome.succeed(message)
    },
    onError: (error) => outcome.fail(failureText(error, FAILURE)),
    // Also a refusal may be news: another window has sent one.
    onSettled: () => utils.dashboard.invalidate(),
  })
  // One that this button sent counts until the list has been fetched anew.
  const isSent = remindedToday.includes(contract.id) || sentSince === remindedToday
  const isIdle = !isSent && !send.isPending
  return (
    <Button
      size="xs"
      variant={isSent ? 'transparent' : 'default'}
      c={isSent ? 'dimmed' : 'bright'}
      leftSection={<Icon isSent={isSent} isBusy={send.isPending} />}
      aria-disabled={!isIdle}
      aria-busy={send.isPending}
      style={{ cursor: isIdle ? 'pointer' : 'default' }}
      aria-label={`${isSent ? 'Reminder sent today' : 'Send Reminder'}: ${contract.customerName}`}
      onClick={() => isIdle && send.mutate({ id: contract.id })}
    >
      {isSent ? 'Reminder sent today' : 'Send Reminder'}
    </Button>
  )
}

function Icon({ isSent, isBusy }: { isSent: boolean; isBusy: boolean }) {
  if (isBusy) return <Loader size={14} color="gray" />
  return isSent ? <CheckIcon /> : <EnvelopeClosedIcon />
}
