import sql from 'sql-template-tag'
import { z } from 'zod'
import { usableCompanyName } from '#shared/domain/company-name.ts'
import type { JobContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import type { Letter } from '#server/mail/letter.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { CompanyEntity } from './company.entity.ts'

/** Emails each owner whose messages wait for a company name, once, unless the name has been entered. */
export async function emailWaitingOwners(ctx: JobContext): Promise<void> {
  const statement = sql`
    select account_id as "accountId" from companies where waiting_since is not null and owner_told_at is null`
  for (const { accountId } of await readRows(ctx.db.system, statement, UntoldRow)) {
    if (ctx.signal.aborted) return
    await emailOwner(ctx, accountId).catch((error: unknown) => {
      ctx.log.error({ err: error, accountId }, 'an owner could not be emailed about waiting messages')
    })
  }
}

const UntoldRow = z.object({ accountId: z.int() })
const OwnerRow = z.object({ name: z.string().nullable(), email: z.string(), isReachable: z.boolean() })

// Recorded before it is sent: two emails would be worse than the banner in the app alone.
async function emailOwner({ db, services, log }: JobContext, accountId: number): Promise<void> {
  const telling = sql`
    update companies co set owner_told_at = ${services.now()} from accounts a
    where co.account_id = ${accountId} and a.id = co.account_id and co.owner_told_at is null
    returning co.name, a.email, a.email <> '' and not exists (select from bounced_addresses b
      where b.account_id = a.id and b.address = lower(a.email) and b.cleared_at is null) as "isReachable"`
  const [owner] = await db.writeAs(accountId, (_em, write) => write(telling, OwnerRow))
  if (!owner?.isReachable || usableCompanyName(owner.name)) return
  try {
    const letter = waitingLetter(services.publicUrl)
    await sendLetter(services.mailer, { to: owner.email, subject: SUBJECT, letter })
  } catch (error) {
    log.warn({ err: error, accountId }, 'the email about waiting messages was not sent')
    if (!['deferred', 'unreachable'].includes(mailFailureOf(error))) return
    await db.writeAs(accountId, (em) => em.nativeUpdate(CompanyEntity, { accountId }, { ownerToldAt: null }))
  }
}

const SUBJECT = 'Enter your company name to send messages to your customers'

export function waitingLetter(publicUrl: string): Letter {
  return {
    sender: 'TRAXX',
    parts: [
      { text: 'Hello,' },
      {
        text: 'A message to one of your customers is due, but TRAXX does not have your company name yet. Customers need to know who is writing to them, so your messages are on hold until you enter it.',
      },
      { link: { label: 'Enter your company name', url: `${publicUrl}/company` } },
      { text: 'We will then send the messages that are waiting and skip any that are too late.' },
    ],
    note: 'You are receiving this one-time email because you have a TRAXX account with contracts that send reminders.',
  }
}
