import type { Day } from '#shared/domain/day.ts'
import { LEASE_MS } from '#shared/domain/reminder-waits.ts'
import type { RequestContext, SystemContext } from '#server/context.ts'
import type { Write } from '#server/db/database.ts'
import { keptText } from '#server/mail/letter.ts'
import { sendLetter, type LetterMessage, type Mailer, type SentLetter } from '#server/mail/mailer.ts'
import { answerOf, mailFailureOf, refusesAddress, type MailFailure } from '#server/mail/mail-failure.ts'
import { notify } from '#server/notifications/notify.ts'
import { recordBounce } from '#server/deliverability/bounces.service.ts'
import { extendLease, markFailed, markSent, type Claim, type SentMessage } from '#server/ledger/ledger.ts'
import { afterEarlierProofs, appendProof } from '#server/proofs/append-proof.ts'
import { uncountMail } from '#server/deliverability/mail-limits.service.ts'
import { partsOfMessage, type MessageFacts } from './message-proof.ts'
import { noticesOfEnd } from '#server/reminders/notices.ts'

/** An email whose rows are "sending". */
export interface Outgoing extends Claim {
  message: LetterMessage
  /** The account's calendar day. */
  today: Day
  /** Whoever sends it by hand waits for the response, and learns of a failure from that. */
  isAwaited?: boolean
  /** The day on which the limits counted it; emails to the owner are not counted. */
  countedOn: Day | undefined
  /** What is proved of it besides its text; nothing is of emails to the owner. */
  proof: MessageFacts | undefined
}

interface Failure {
  failure: MailFailure
  answer: string
  /** The address does not exist, so nothing more is sent there. */
  isOfAddress: boolean
}

export type Outcome = { state: 'sent'; letter: SentLetter } | ({ state: 'failed' } & Failure)

type SendingContext = SystemContext & Pick<RequestContext, 'log'>

/** What the ledger keeps about an email. */
export function sentMessage(message: LetterMessage & { key: string }, mailer: Mailer): SentMessage {
  const { to: address, subject, letter, key } = message
  return { address, subject, body: keptText(letter), messageId: mailer.messageIdOf(key) }
}

/** Sends outside any transaction. However long the mail server takes, no other process claims the message meanwhile. */
export async function send(ctx: SendingContext, outgoing: Outgoing): Promise<Outcome> {
  const stopRenewing = keepLease(ctx, outgoing)
  try {
    const letter = await sendLetter(ctx.services.mailer, outgoing.message)
    return { state: 'sent', letter }
  } catch (error) {
    const isOfAddress = refusesAddress(error)
    return { state: 'failed', failure: mailFailureOf(error), answer: answerOf(error), isOfAddress }
  } finally {
    await stopRenewing()
  }
}

/** Extends its lease again and again until stopped. */
function keepLease(ctx: SendingContext, outgoing: Outgoing): () => Promise<void> {
  let last = Promise.resolve()
  const timer = setInterval(() => void (last = last.then(() => renew(ctx, outgoing))), LEASE_MS / 5)
  return () => {
    clearInterval(timer)
    return last
  }
}

async function renew({ db, services, log }: SendingContext, outgoing: Outgoing): Promise<void> {
  try {
    await db.writeAs(outgoing.accountId, (_em, write) => extendLease(write, outgoing, services.now()))
  } catch (error) {
    log.warn({ err: error, reminders: outgoing.ids }, 'the lease of a reminder could not be extended')
  }
}

/** Together with its proof. The emails of an account are recorded one after the other, without a connection while they wait. */
export async function recordSent(
  { db, services }: SystemContext,
  outgoing: Outgoing,
  letter: SentLetter,
): Promise<void> {
  const { accountId, today, proof } = outgoing
  const at = services.now()
  await afterEarlierProofs(accountId, () =>
    db.writeAs(accountId, async (_em, write) => {
      await markSent(write, outgoing, { now: at, today })
      if (!proof) return
      const parts = await partsOfMessage(proof, letter, services.publicUrl)
      const { reminderId } = proof
      await appendProof(write, { accountId, reminderId, kind: 'sent', at, parts }, services.proofSigner)
    }),
  )
}

/** For good: it is not retried automatically, and the owner is told unless they are waiting for the response. */
export async function recordFailed({ db, services }: SystemContext, outgoing: Outgoing, failed: Failure) {
  const { failure, answer, isOfAddress } = failed
  const { accountId, isAwaited } = outgoing
  const now = services.now()
  await db.writeAs(accountId, async (_em, write) => {
    if (isCertainlyUnsent(failure)) await uncount(write, outgoing)
    const ended = await markFailed(write, outgoing, { reason: failure, answer, now })
    const [first] = ended
    if (isOfAddress && first) await recordBounce(write, first, now)
    else if (!isAwaited) await notify(write, { accountId, now }, ...noticesOfEnd(ended))
  })
}

/** Whether the mail server certainly never saw the message itself. A message that it refused counts as sent. */
export function isCertainlyUnsent(failure: MailFailure): boolean {
  return failure === 'deferred' || failure === 'unreachable'
}

/** Takes an email that was not sent back out of its day's count. */
export async function uncount(write: Write, { accountId, message, countedOn }: Outgoing): Promise<void> {
  if (countedOn) await uncountMail(write, { accountId, address: message.to, day: countedOn })
}
