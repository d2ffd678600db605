import { useEffect, useEffectEvent, useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { formatDay } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'
import { occasionText, type LedgerMessage, type Message, type MessageTarget } from '#client/mail/reminder-words.ts'

export interface OutboxActions {
  sendNow: (message: SendableMessage) => void
  skip: (message: MessageTarget) => void
  snooze: (message: MessageTarget, until: string) => void
}

/** A message as it will be, or with what became of it. */
type SendableMessage = MessageTarget & Partial<Pick<LedgerMessage, 'state'>>

/** What can be done with a message that has not been sent. */
export function useOutboxActions(): OutboxActions {
  const utils = trpc.useUtils()
  const settle = () => Promise.all([utils.reminders.invalidate(), utils.notifications.invalidate()])
  const handlers = (failed: string) => ({
    onError: (error: unknown) => toastFailure(failureText(error, { failed })),
    // Also after a refusal, which may mean that the message has changed.
    onSettled: () => void settle(),
  })
  const watch = useWatch(() => void settle())
  const planNow = trpc.reminders.planNow.useMutation(handlers('Failed to send reminder'))
  const undoNow = trpc.reminders.undoPlannedNow.useMutation(handlers('Failed to put the message back'))
  const offerToPutBack = (message: SendableMessage, { before }: Outputs['reminders']['planNow']) =>
    toastUndo(`Goes out in 10 seconds: ${message.customerName}, ${occasionText(message)}`, () =>
      undoNow
        .mutateAsync({ ...keyOf(message), before: before && { ...before, at: before.at.toISOString() } })
        .then(() => toastSuccess(putBackText(message))),
    )
  const sendNow = (message: SendableMessage) => {
    void planNow.mutateAsync(keyOf(message)).then((planned) => {
      watch()
      offerToPutBack(message, planned)
    }, ignore)
  }
  const skip = trpc.reminders.skip.useMutation(handlers('Failed to skip the message'))
  const undoSkip = trpc.reminders.undoSkip.useMutation({
    ...handlers('Failed to undo the skip'),
    onSuccess: () => toastSuccess('The message is no longer skipped'),
  })
  const offerUndo = (message: MessageTarget) =>
    toastUndo(`Skipped: ${message.customerName}, ${occasionText(message)}`, () => undoSkip.mutateAsync(keyOf(message)))
  const snooze = trpc.reminders.snooze.useMutation({
    ...handlers('Failed to snooze the message'),
    onSuccess: (_answer, { until }) => toastSuccess(`Snoozed until ${formatDay(until)}`),
  })
  return {
    sendNow,
    // Several may run at once.
    skip: (message) => void skip.mutateAsync(keyOf(message)).then(() => offerUndo(message), ignore),
    snooze: (message, until) => snooze.mutate({ ...keyOf(message), until }),
  }
}

const WATCH_MS = 5000
/** Long enough for a message that goes out in 10 seconds to have been sent, unless the mail server defers it. */
const WATCHED_FOR_MS = 40_000

/** Fetches again and again for a while after a message was told to go out, until it is said to be sent. */
function useWatch(fetchAgain: () => void): () => void {
  const [until, setUntil] = useState(0)
  const tick = useEffectEvent(() => (Date.now() < until ? fetchAgain() : setUntil(0)))
  useEffect(() => {
    if (until === 0) return undefined
    const timer = setInterval(() => tick(), WATCH_MS)
    return () => clearInterval(timer)
  }, [until])
  return () => setUntil(Date.now() + WATCHED_FOR_MS)
}

/** One that had failed or was skipped does not fail again: it is skipped. */
function putBackText({ state }: SendableMessage): string {
  return state === 'failed' || state === 'skipped' ? 'The message is skipped' : 'The message is back where it was'
}

/** A message of the ledger as one that something can be done with; undefined for a letter, and where its contract was deleted. */
export function actionable(message: LedgerMessage): (Message & Pick<LedgerMessage, 'state'>) | undefined {
  const { contractId, kind, channel } = message
  if (contractId === null || kind === 'letter' || channel === 'letter') return undefined
  return { ...message, contractId, kind, channel }
}

function keyOf({ contractId, renewalDate, kind, offset, recipient, contactId, channel }: MessageTarget) {
  return { contractId, renewalDate, kind, offset, recipient, contactId, channel }
}

function ignore(): void {}
