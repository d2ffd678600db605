import sql from 'sql-template-tag'
import { z } from 'zod'
import type { JobContext } from '#server/context.ts'
import { readRows } from '#server/db/rows.ts'
import type { Letter } from '#server/mail/letter.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { mailFailureOf } from '#server/mail/mail-failure.ts'
import { readHead, weekFrom } from './proof-head.service.ts'

const AT_ONCE = 200
const DAY_MS = 86_400_000

const DueRow = z.object({ accountId: z.int() })
const OwnerRow = z.object({ email: z.string(), isReachable: z.boolean(), mailedNumber: z.int() })

/** Mails each owner the head of their chain a week after the last time, if it has changed; a day later if that fails. */
export async function mailProofHeads(ctx: JobContext): Promise<void> {
  const { db, services, signal, log } = ctx
  const statement = sql`
    select h.account_id as "accountId" from proof_heads h join accounts a on a.id = h.account_id
    where h.weekly and h.next_mail_at <= ${services.now()} and a.deleting_at is null
    order by h.next_mail_at limit ${AT_ONCE}`
  for (const { accountId } of await readRows(db.system, statement, DueRow)) {
    if (signal.aborted) return
    await mailHead(ctx, accountId).catch((error: unknown) => {
      log.error({ err: error, accountId }, 'the head of a chain could not be mailed')
      return setNext(ctx, accountId, { at: new Date(services.now().getTime() + DAY_MS) })
    })
  }
}

async function mailHead(ctx: JobContext, accountId: number): Promise<void> {
  const { db, services } = ctx
  const read = db.readAs(accountId)
  const [owner, head] = [await readOwner(read, accountId), await readHead(read, accountId)]
  if (!owner) return
  const isNew = head !== undefined && head.number > owner.mailedNumber
  const isMailed = owner.isReachable && isNew && (await isTaken(ctx, { accountId, to: owner.email, head }))
  const next = { mailedNumber: isMailed ? head.number : owner.mailedNumber, at: weekFrom(services.now()) }
  await setNext(ctx, accountId, next)
}

/** Mails a head, before that is recorded and under the same Message-ID: the same email twice is better than none. */
async function isTaken(
  { services: { publicUrl, mailer }, log }: JobContext,
  { accountId, to, head }: { accountId: number; to: string; head: Head },
): Promise<boolean> {
  try {
    await sendLetter(mailer, { to, ...headLetter(head, publicUrl), key: `proof-head-${accountId}-${head.number}` })
    return true
  } catch (error) {
    if (mailFailureOf(error) !== 'refused') throw error
    log.warn({ err: error, accountId }, 'the owner of a chain could not be sent its head')
    return false
  }
}

/** When the head is mailed next, and which one was last, if that has changed. */
async function setNext(
  { db }: JobContext,
  accountId: number,
  { at, mailedNumber }: { at: Date; mailedNumber?: number },
): Promise<void> {
  const statement = sql`
    update proof_heads set mailed_number = coalesce(${mailedNumber ?? null}::int, mailed_number), next_mail_at = ${at}
    where account_id = ${accountId}`
  await db.writeAs(accountId, (_em, write) => write(statement))
}

async function readOwner(read: ReturnType<JobContext['db']['readAs']>, accountId: number) {
  const statement = sql`
    select a.email, h.mailed_number as "mailedNumber", a.email <> '' and not exists (select from bounced_addresses b
      where b.account_id = a.id and b.address = lower(a.email) and b.cleared_at is null) as "isReachable"
    from accounts a join proof_heads h on h.account_id = a.id where a.id = ${accountId}`
  const [owner] = await read(statement, OwnerRow)
  return owner
}

interface Head {
  number: number
  hash: string
  signature: string
  keyId: string
}

/** The email with a head. */
export function headLetter({ number, hash, signature, keyId }: Head, publicUrl: string) {
  const letter: Letter = {
    sender: 'TRAXX',
    parts: [
      { text: 'Hello,' },
      {
        text: 'Keep this email. With it, you can show later that nobody, not even whoever runs TRAXX, has changed the records made up to now of what was sent to your customers and what they answered.',
      },
      {
        facts: [
          ['Records', String(number)],
          ['Code (hash of the latest record)', hash],
          ['Signature', signature],
          ['Key', keyId],
        ],
      },
      {
        text: `Whoever checks a certificate compares it with this code, or runs npm run verify with --head ${number}:${hash} and the file proofs.json of your export.`,
      },
      { link: { label: 'Verify a certificate', url: `${publicUrl}/verify` } },
    ],
    note: 'You are receiving this email once a week while emails go out to your customers. You can turn it off in your TRAXX notification settings.',
  }
  return { subject: `Proof of your emails and answers: ${number === 1 ? '1 record' : `${number} records`}`, letter }
}
