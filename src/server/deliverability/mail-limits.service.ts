import sql from 'sql-template-tag'
import { z } from 'zod'
import { isPaying, type SubscriptionState } from '#shared/domain/access.ts'
import { addDays, type Day } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import {
  limitOfAccount,
  limitsResetAt,
  mailboxOf,
  mailDay,
  type MailLimit,
  type MailLimits,
} from '#shared/domain/mail-limits.ts'
import type { JobContext, ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import type { Read, Write } from '#server/db/database.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { SUBSCRIPTION_JSON, SubscriptionField } from '#server/identity/subscription.rows.ts'
import { notify } from '#server/notifications/notify.ts'
import { logMailLimit } from '#server/security/security-log.ts'
import type { NewNotification } from '#server/notifications/texts.ts'

const CountRow = z.object({ count: z.int() })
const RefusalRow = z.object({ refused: z.enum(['account_limit', 'address_limit']).nullable() })
const NotedRow = z.object({ isFirst: z.boolean() })

/** An account's emails to customers today, and its limits. */
export interface MailLimitsView {
  /** How many it has sent today, including those being sent. */
  sentToday: number
  /** How many it may send a day. */
  limit: number
  /** How many all accounts together may send to one address a day. */
  limitPerAddress: number
  /** How many it could send a day with a paid plan; null if it has one. */
  limitWithPaidPlan: number | null
  /** When the count starts over. */
  resetsAt: Date
}

/** How many emails the account may send its customers today, and how many it has. */
export async function getMailLimits({
  read,
  accountId,
  services,
}: Pick<ReaderContext, 'read' | 'accountId' | 'services'>): Promise<MailLimitsView> {
  const now = services.now()
  const account = await readSender(read, accountId)
  const [row] = await read(
    sql`select customer_mail_count(${mailDay(now)}::date, ${ownerOf(account)}) as count`,
    CountRow,
  )
  const { mailLimits } = services
  const billingNow = services.billingNow()
  return {
    sentToday: row?.count ?? 0,
    limit: limitOfAccount(mailLimits, account.subscription, billingNow),
    limitPerAddress: mailLimits.toAddress,
    limitWithPaidPlan: isPaying(account.subscription, billingNow) ? null : mailLimits.ofPaying,
    resetsAt: limitsResetAt(now),
  }
}

/** Deletes the counts of past days. */
export async function sweepMailCounts({ db, services }: JobContext): Promise<void> {
  const { mailCounts } = services.storage.keptDays
  await db.system.query('delete from mail_counts where day < $1', [addDays(mailDay(services.now()), -mailCounts)])
}

/** Whose emails are counted. */
interface Sender {
  id: number
  owner: { email: string | null }
  subscription: SubscriptionState | null
}

/** What decides how an account's emails are counted. */
export interface Counting {
  account: Sender
  now: Date
  /** The time by billing's clock. */
  billingNow: Date
  limits: MailLimits
}

/**
 * Counts an email to each of these addresses, in the transaction that claims them for sending. Returns, in the same order,
 * the limit that each is over; an email over a limit is not counted.
 */
export async function countMail(
  write: Write,
  addresses: readonly string[],
  { account, now, billingNow, limits }: Counting,
): Promise<(MailLimit | null)[]> {
  if (addresses.length === 0) return []
  const asked = addresses.map((address, position) => ({ mailbox: mailboxOf(address), position }))
  const inOrder = asked.toSorted((one, other) => (one.mailbox < other.mailbox ? -1 : 1))
  const statement = sql`
    select refused from count_customer_mail(${mailDay(now)}::date, ${inOrder.map(({ mailbox }) => mailbox)}::text[],
      ${ownerOf(account)}, ${limitOfAccount(limits, account.subscription, billingNow)}::int, ${limits.toAddress}::int)`
  const rows = await write(statement, RefusalRow)
  const refusals: (MailLimit | null)[] = addresses.map(() => null)
  for (const [index, { position }] of inOrder.entries()) refusals[position] = rows[index]?.refused ?? null
  return refusals
}

/**
 * The limit that an email would be over once the waiting emails to the other addresses are sent. Counts nothing.
 */
export async function limitFor(
  write: Write,
  { address, waiting }: { address: string; waiting: readonly string[] },
  counting: Counting,
): Promise<MailLimit | null> {
  const { account, now, limits } = counting
  const toSame = waiting.filter((one) => mailboxOf(one) === mailboxOf(address)).length
  const left = {
    toAddress: limits.toAddress - toSame,
    ofTrial: limits.ofTrial - waiting.length,
    ofPaying: limits.ofPaying - waiting.length,
  }
  const [refused = null] = await countMail(write, [address], { ...counting, limits: left })
  if (refused === null) await uncount(write, { account, address, day: mailDay(now) })
  return refused
}

/** The same for emails to several addresses, in their order: the limit that each would be over, if any. */
export async function limitsFor(
  write: Write,
  { addresses, waiting }: { addresses: readonly string[]; waiting: readonly string[] },
  counting: Counting,
): Promise<(MailLimit | null)[]> {
  const asked = [...waiting, ...addresses]
  const refused = await countMail(write, asked, counting)
  const counted = asked.filter((_address, index) => !refused[index]).map(mailboxOf)
  const { account, now } = counting
  await write(sql`
    select uncount_customer_mail(${mailDay(now)}::date, mailbox, ${ownerOf(account)}) from unnest(${counted}::text[]) as mailbox`)
  // They are counted in the order of their addresses, but those that wait are sent first.
  let displaced = refused.slice(0, waiting.length).filter((limit) => limit === 'account_limit').length
  return refused.slice(waiting.length).map((limit) => {
    if (limit || displaced === 0) return limit
    displaced -= 1
    return 'account_limit'
  })
}

/** Subtracts an email that was counted on that day and certainly not sent. */
export async function uncountMail(write: Write, { accountId, ...email }: Uncounted): Promise<void> {
  await uncount(write, { account: await readSender(write, accountId), ...email })
}

interface Counted {
  address: string
  day: Day
}

type Uncounted = Counted & { accountId: number }

async function uncount(write: Write, { account, address, day }: Counted & Pick<Counting, 'account'>): Promise<void> {
  await write(sql`select uncount_customer_mail(${day}::date, ${mailboxOf(address)}, ${ownerOf(account)})`)
}

/**
 * Notifies the owner, once a day, that messages wait or will not be sent because of a limit. Returns whether it was the
 * first time that day.
 */
export async function tellOfLimit(write: Write, refused: MailLimit, counting: Counting): Promise<boolean> {
  const { account, now } = counting
  const [told] = await write(sql`select note_mail_limit(${mailDay(now)}::date) as "isFirst"`, NotedRow)
  if (!told?.isFirst) return false
  await notify(write, { accountId: account.id, now }, noticeOf(refused, counting))
  return true
}

/** The same for the operator, in the security log. */
export function logLimit(log: JobContext['log'], account: number, limit: MailLimit): void {
  logMailLimit(log, { account, limit })
}

function noticeOf(kind: MailLimit, { account, billingNow, limits }: Counting): NewNotification {
  if (kind === 'address_limit') return { kind, limit: limits.toAddress }
  const limit = limitOfAccount(limits, account.subscription, billingNow)
  return { kind, limit, limitWithPaidPlan: isPaying(account.subscription, billingNow) ? null : limits.ofPaying }
}

/** Counted by address too, so that a new account of the same owner continues the count. */
function ownerOf({ owner }: Sender): string {
  return mailboxOf(owner.email ?? '')
}

const OWNER = columnsOf(AccountEntity, 'a', ['email'])
const SenderRow = z.object({ ...OWNER.fields, subscription: SubscriptionField })

/** @throws NOT_SIGNED_IN if another process has deleted the account */
async function readSender(read: Read, id: number): Promise<Sender> {
  const statement = sql`
    select ${OWNER}, ${SUBSCRIPTION_JSON} as subscription
    from accounts a left join subscriptions s on s.account_id = a.id where a.id = ${id}`
  const [row] = await read(statement, SenderRow)
  if (!row) throw new AppError('NOT_SIGNED_IN')
  const { email, subscription } = row
  return { id, owner: { email }, subscription }
}
