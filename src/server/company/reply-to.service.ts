import { createHmac, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { AppError } from '#shared/errors.ts'
import { REPLY_TO_CODE_DIGITS, type ConfirmReplyTo } from '#shared/schemas/company.ts'
import { requireSubscriber, type ReaderContext } from '#server/context.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import type { Letter } from '#server/mail/letter.ts'
import { sendLetter } from '#server/mail/mailer.ts'
import { getCompany, type CompanyView } from './company.service.ts'
import { lockedCompany } from './locked-company.ts'
import { ReplyToCodeEntity } from './reply-to-code.entity.ts'

const MINUTE_MS = 60_000
const GOOD_FOR_MINUTES = 10
const MOST_ATTEMPTS = 5

const hash = promisify<string, Buffer, number, Buffer>(scrypt)

/**
 * Emails a code to the reply-to address that is to be confirmed.
 * @throws REPLY_TO_CONFIRMED if there is none, TOO_MANY_REQUESTS, REPLY_TO_CODE_FAILED
 */
export async function sendReplyToCode(ctx: ReaderContext): Promise<void> {
  requireSubscriber(ctx)
  const { replyTo, isReplyToConfirmed } = await getCompany(ctx)
  if (replyTo === null || isReplyToConfirmed) throw new AppError('REPLY_TO_CONFIRMED')
  const code = String(randomInt(10 ** REPLY_TO_CODE_DIGITS)).padStart(REPLY_TO_CODE_DIGITS, '0')
  await takeLimits(ctx, replyTo)
  await keepCode(ctx, { address: replyTo, kept: await hashed(code) })
  try {
    await sendLetter(ctx.services.mailer, {
      to: replyTo,
      subject: `${code} is your TRAXX code`,
      letter: codeLetter(code),
    })
  } catch (error) {
    throw new AppError('REPLY_TO_CODE_FAILED', { cause: error })
  }
}

const CodeRow = z.object({ address: z.string(), kept: z.string() })

/**
 * Confirms the address, where replies then go. A wrong code counts as an attempt, even though it is refused.
 * @throws REPLY_TO_CODE_WRONG, REPLY_TO_CODE_EXPIRED
 */
export async function confirmReplyTo(ctx: ReaderContext, { code }: ConfirmReplyTo): Promise<CompanyView> {
  const { accountId, db, services } = requireSubscriber(ctx)
  const now = services.now()
  const attempt = sql`
    update reply_to_codes set attempts = attempts + 1
    where account_id = ${accountId} and attempts < ${MOST_ATTEMPTS} and expires_at > ${now}
    returning address, code_hash as kept`
  const [tried] = await db.writeAs(accountId, (_em, write) => write(attempt, CodeRow))
  if (!tried) throw new AppError('REPLY_TO_CODE_EXPIRED')
  if (!(await isHashOf(tried.kept, code))) throw new AppError('REPLY_TO_CODE_WRONG')
  const isConfirmed = await db.writeAs(accountId, async (em) => {
    await em.nativeDelete(ReplyToCodeEntity, { accountId, codeHash: tried.kept })
    const company = await lockedCompany({ em, accountId })
    if (company.replyTo?.toLowerCase() !== tried.address) return false
    company.replyToConfirmedAt = now
    await em.flush()
    return true
  })
  if (!isConfirmed) throw new AppError('REPLY_TO_CODE_EXPIRED')
  return getCompany(ctx)
}

/** Contains nothing written by the account: the address may belong to someone else. */
export function codeLetter(code: string): Letter {
  return {
    sender: 'TRAXX',
    parts: [
      { text: 'Hello,' },
      {
        text: 'Someone who emails their customers through TRAXX wants replies to go to this address. If that was you, enter this code in TRAXX:',
      },
      { facts: [['Code', code]] },
      {
        text: `The code is valid for ${GOOD_FOR_MINUTES} minutes. If that was not you, ignore this email, and no replies will be sent here.`,
      },
    ],
    note: 'You are receiving this email because this address was entered as a reply-to address in TRAXX.',
  }
}

/** Limits codes by account and by address for a day. Addresses are counted by a keyed hash. */
async function takeLimits({ db, limits, accountId }: ReaderContext, replyTo: string): Promise<void> {
  await limits.take('replyToCodes', accountId)
  const hashed = createHmac('sha256', await readLinkKey(db)).update(`reply-to ${mailboxOf(replyTo)}`)
  await limits.take('replyToCodesToAddress', hashed.digest('base64url'))
}

/** Only the latest code is valid. */
async function keepCode(
  { db, accountId, services }: ReaderContext,
  { address, kept }: Record<'address' | 'kept', string>,
) {
  const expiresAt = new Date(services.now().getTime() + GOOD_FOR_MINUTES * MINUTE_MS)
  const code = { accountId, address: address.toLowerCase(), codeHash: kept, attempts: 0, expiresAt }
  await db.writeAs(accountId, (em) => em.upsert(ReplyToCodeEntity, code))
}

async function hashed(code: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString('base64url')}.${(await hash(code, salt, 32)).toString('base64url')}`
}

async function isHashOf(kept: string, code: string): Promise<boolean> {
  const [salt = '', expected = ''] = kept.split('.').map((part) => Buffer.from(part, 'base64url'))
  return timingSafeEqual(await hash(code, Buffer.from(salt), 32), Buffer.from(expected))
}
