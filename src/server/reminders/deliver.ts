import sql, { type Sql } from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { RequestContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { notify } from '#server/notifications/notify.ts'
import { sendLetter, type LetterMessage } from '#server/mail/letter.ts'
import { recordBounce, type Returned } from './bounce-notice.ts'
import { uncountMail } from './mail-limits.service.ts'
import { ENDED, noticesOfEnd, type Ended } from './notices.ts'
import { answerOf, mailFailureOf, refusesAddress, type MailFailure } from '#server/mail/mail-failure.ts'

/** An e-mail whose rows say "sending". */
export interface Outgoing {
  /** The rows of the ledger that go out in it. */
  ids: readonly number[]
  accountId: number
  message: LetterMessage
  /** The account's calendar day. */
  today: Day
  /** By when its rows say who took it for sending. */
  sendingAt: Date
  /** Whoever sends it by hand waits for the answer, and is told of a failure by that. */
  isAwaited?: boolean
  /** On which day of the limits it was counted; the owner's is not. */
  countedOn: Day | undefined
}

interface Failure {
  failure: MailFailure
  answer: string
  /** There is no such address: nothing more is sent there. */
  isOfAddress: boolean
}

export type Outcome = { state: 'sent' } | ({ state: 'failed' } & Failure)

/** After this long without a word nobody is believed to be at sending a message any more. */
export const LEASE_MS = 5 * 60_000

type Outside = Pick<RequestContext, 'db' | 'services' | 'log'>

/** Sends, outside any transaction. However long the mail server takes, nobody else takes the message meanwhile. */
export async function send(ctx: Outside, outgoing: Outgoing): Promise<Outcome> {
  const stopRenewing = keepLease(ctx, outgoing)
  try {
    await sendLetter(ctx.services.mailer, outgoing.message)
    return { state: 'sent' }
  } catch (error) {
    const isOfAddress = refusesAddress(error)
    return { state: 'failed', failure: mailFailureOf(error), answer: answerOf(error), isOfAddress }
  } finally {
    await stopRenewing()
  }
}

/** Puts the end of its lease off again and again, until that is stopped. */
function keepLease(ctx: Outside, outgoing: Outgoing): () => Promise<void> {
  let last = Promise.resolve()
  const timer = setInterval(() => void (last = last.then(() => renew(ctx, outgoing))), LEASE_MS / 5)
  return () => {
    clearInterval(timer)
    return last
  }
}

async function renew({ db, services, log }: Outside, outgoing: Outgoing): Promise<void> {
  const { ids, accountId } = outgoing
  try {
    await db.writeAs(accountId, (_em, write) =>
      write(sql`
        update reminders set next_attempt_at = ${new Date(services.now().getTime() + LEASE_MS)}
        where ${stillTaken(outgoing)}`),
    )
  } catch (error) {
    log.warn({ err: error, reminders: ids }, 'the lease of a reminder could not be put off')
  }
}

/**
 * The rows of an email, for whoever took it for sending; none where somebody else found it left behind meanwhile and took
 * it. From then on it is theirs, and they write down what becomes of it.
 */
export function stillTaken({ ids, accountId, sendingAt }: Outgoing): Sql {
  return sql`account_id = ${accountId} and id = any(${[...ids]}::int[]) and state = 'sending' and sending_at = ${sendingAt}`
}

export async function recordSent({ db, services }: Outside, outgoing: Outgoing): Promise<void> {
  await db.writeAs(outgoing.accountId, (_em, write) =>
    write(sql`
      update reminders set state = 'sent', sent_at = ${services.now()}, sent_on = ${outgoing.today},
        next_attempt_at = null, answer = null
      where ${stillTaken(outgoing)}`),
  )
}

/** For good: nobody tries it again by itself, and the owner is told where they do not wait for the answer. */
export async function recordFailed({ db, services }: Outside, outgoing: Outgoing, failed: Failure) {
  const { failure, answer, isOfAddress } = failed
  const { accountId, isAwaited } = outgoing
  const now = services.now()
  await db.writeAs(accountId, async (_em, write) => {
    if (isUnsent(failure)) await giveBack(write, outgoing)
    const ended = await write<Ended & Returned>(sql`
      update reminders r set state = 'failed', reason = ${failure}, answer = ${answer}, ended_at = ${now},
        next_attempt_at = null
      where ${stillTaken(outgoing)} returning ${ENDED}, account_id as "accountId", customer_id as "customerId", address`)
    const [first] = ended
    if (isOfAddress && first) await recordBounce(write, first, now)
    else if (!isAwaited) await notify(write, { accountId, now }, ...noticesOfEnd(ended))
  })
}

/** True where the mail server has certainly not seen the message itself. What it refused counts as sent. */
export function isUnsent(failure: MailFailure): boolean {
  return failure === 'deferred' || failure === 'unreachable'
}

/** Takes an e-mail that was not sent out of the count of its day. */
export async function giveBack(write: Read, { accountId, message, countedOn }: Outgoing): Promise<void> {
  if (countedOn) await uncountMail(write, { accountId, address: message.to, day: countedOn })
}
