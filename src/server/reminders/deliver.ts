import sql from 'sql-template-tag'
import type { Day } from '#shared/domain/day.ts'
import type { RequestContext } from '#server/context.ts'
import { sendLetter, type LetterMessage } from '#server/mail/letter.ts'
import { RETURNED, tellOfBounce, type Returned } from './bounce-notice.ts'
import { noticeOfFailure } from './notices.ts'
import { answerOf, mailFailureOf, refusesAddress, type MailFailure } from '#server/mail/mail-failure.ts'

/** A message whose row says "sending". */
export interface Outgoing {
  id: number
  accountId: number
  message: LetterMessage
  /** The account's calendar day. */
  today: Day
  /** By when its row says who took it for sending. */
  sendingAt: Date
}

interface Ended {
  failure: MailFailure
  answer: string
  /** There is no such address: nothing more is sent there. */
  isOfAddress: boolean
}

export type Outcome = { state: 'sent' } | ({ state: 'failed' } & Ended)

/** After this long without a word nobody is believed to be at sending a message any more. */
export const LEASE_MS = 5 * 60_000

type Outside = Pick<RequestContext, 'db' | 'services' | 'log'>

/** Sends, outside any transaction. However long the mail server takes, nobody else takes the message meanwhile. */
export async function send(ctx: Outside, outgoing: Outgoing): Promise<Outcome> {
  const letGo = hold(ctx, outgoing)
  try {
    await sendLetter(ctx.services.mailer, outgoing.message)
    return { state: 'sent' }
  } catch (error) {
    const isOfAddress = refusesAddress(error)
    return { state: 'failed', failure: mailFailureOf(error), answer: answerOf(error), isOfAddress }
  } finally {
    await letGo()
  }
}

/** Puts the end of its lease off again and again, until it is let go. */
function hold(ctx: Outside, outgoing: Outgoing): () => Promise<void> {
  let last = Promise.resolve()
  const timer = setInterval(() => void (last = last.then(() => renew(ctx, outgoing))), LEASE_MS / 5)
  return () => {
    clearInterval(timer)
    return last
  }
}

/** Not where somebody else has taken the message meanwhile, who found it left behind. */
async function renew({ db, services, log }: Outside, { id, accountId, sendingAt }: Outgoing): Promise<void> {
  try {
    await db.writeAs(accountId, (_em, write) =>
      write(sql`
        update reminders set next_attempt_at = ${new Date(services.now().getTime() + LEASE_MS)}
        where account_id = ${accountId} and id = ${id} and state = 'sending' and sending_at = ${sendingAt}`),
    )
  } catch (error) {
    log.warn({ err: error, reminder: id }, 'the lease of a reminder could not be put off')
  }
}

export async function recordSent({ db, services }: Outside, { id, accountId, today }: Outgoing): Promise<void> {
  await db.writeAs(accountId, (_em, write) =>
    write(sql`
      update reminders set state = 'sent', sent_at = ${services.now()}, sent_on = ${today}, next_attempt_at = null,
        answer = null
      where account_id = ${accountId} and id = ${id} and state = 'sending'`),
  )
}

/** For good: nobody tries it again by itself, and the owner is told. */
export async function recordFailed({ db, services }: Outside, outgoing: Outgoing, ended: Ended) {
  const { failure, answer, isOfAddress } = ended
  const { id, accountId } = outgoing
  const now = services.now()
  const failed = sql`
    update reminders set state = 'failed', reason = ${failure}, answer = ${answer}, ended_at = ${now},
      next_attempt_at = null
    where account_id = ${accountId} and id = ${id} and state = 'sending'`
  await db.writeAs(accountId, async (_em, write) => {
    if (!isOfAddress) return write(noticeOfFailure(failed, failure, now))
    const [returned] = await write<Returned>(sql`${failed} returning ${RETURNED}`)
    return returned && write(tellOfBounce(returned, now))
  })
}
