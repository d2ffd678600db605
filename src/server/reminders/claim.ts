import sql from 'sql-template-tag'
import { dayIn } from '#shared/domain/day.ts'
import { mailDay, triedAgainAt, type MailLimit } from '#shared/domain/mail-limits.ts'
import type { ReminderReason } from '#shared/schemas/reminders.ts'
import type { JobContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'
import { waitForCompany, waitsForCompany } from './company-wait.ts'
import { sentMessage, type Outgoing } from './deliver.ts'
import { lockDue, MOST_IN_A_MAIL, type DueRow } from './due-rows.ts'
import { end as endRows, markSending, postpone, type Batch } from './ledger.ts'
import { readLinkKey } from './link-key.ts'
import { countMail, tellOfLimit, type Counting } from './mail-limits.service.ts'
import { waitForStop, waitsForStop } from './mail-stops.service.ts'
import { giveNotice, noticesOfEnd, type Planning } from './notices.ts'
import { notify } from '#server/notifications/notify.ts'
import { hasFullAccess, readReminderAccount, type ReminderAccount } from './reminder-account.ts'
import { keyOfMessageId, mailAbout, SUBJECT_COLUMNS, SUBJECT_TABLES } from './reminder-subject.ts'
import { hasOtherReader, reasonNotTo, type ContractNow } from './verdict.ts'

type Outside = Pick<JobContext, 'db' | 'services'>

export interface Claimed extends Outgoing {
  attempts: number
}

export interface Claims {
  mails: Claimed[]
  /** How many rows need no sending, or not today. */
  settled: number
}

/**
 * Takes messages for sending, so that nobody else does: their rows say so before the mail server hears of them. Those to
 * one reader are one email. What is not wanted any more is skipped, and what is over a limit waits.
 */
export async function claim({ db, services }: Outside, batch: Batch): Promise<Claims> {
  const linkKey = await readLinkKey(db)
  return db.writeAs(batch.accountId, async (_em, write) => {
    const now = services.now()
    const rows = await lockDue(write, batch, now)
    if (rows.length === 0) return { mails: [], settled: 0 }
    const account = await readReminderAccount(write, batch.accountId)
    const planning = { account, now, today: dayIn(now, account.timeZone) }
    const hasAccess = hasFullAccess(account, services.billingNow())
    const { wanted, settled } = await settle(write, rows, { ...planning, hasAccess })
    const { mails, held } = await limit(write, mailsOf(wanted), { ...planning, limits: services.mailLimits })
    const claimed: Claimed[] = []
    for (const mail of mails) claimed.push(await take(write, mail, { ...planning, services, linkKey }))
    return { mails: claimed, settled: settled + held }
  })
}

interface Wanted {
  row: DueRow
  contract: ContractNow
}

/** Skips what is not to be sent, and gives the notices; the rest is email. */
async function settle(write: Read, rows: DueRow[], now: Planning & { hasAccess: boolean }) {
  const contracts = await readContracts(write, rows, now.account)
  const wanted: Wanted[] = []
  const refused: [DueRow, ReminderReason][] = []
  const unnamed: number[] = []
  const stopped: number[] = []
  for (const row of rows) {
    const contract = contracts.get(row.contractId ?? 0)
    const reason = reasonNotTo(row, { ...now, contract })
    if (reason || !contract) refused.push([row, reason ?? 'contract_deleted'])
    else if (waitsForCompany(row, now.account)) unnamed.push(row.id)
    else if (waitsForStop(row, now.account)) stopped.push(row.id)
    else if (row.channel === 'in_app') await giveNotice(write, { id: row.id, decision: row, row: contract }, now)
    else wanted.push({ row, contract })
  }
  await end(write, refused, now)
  await waitForCompany(write, { accountId: now.account.id, ids: unnamed }, now.now)
  await waitForStop(write, { accountId: now.account.id, ids: stopped }, now.now)
  return { wanted, settled: rows.length - wanted.length }
}

async function readContracts(write: Read, rows: DueRow[], { id, timeZone }: ReminderAccount) {
  const contractIds = [...new Set(rows.map(({ contractId }) => contractId))]
  const contracts = await write<ContractNow>(sql`
    select ${SUBJECT_COLUMNS}, (k.reminders_since at time zone ${timeZone})::date as since
    from ${SUBJECT_TABLES} where k.account_id = ${id} and k.id = any(${contractIds}::int[])`)
  return new Map(contracts.map((contract) => [contract.contractId, contract]))
}

/** For good. Of one that may have been sent nobody can say that it was skipped. */
async function end(write: Read, refused: [DueRow, ReminderReason][], { account, now }: Planning): Promise<void> {
  const byOutcome = Map.groupBy(refused, ([row, reason]) => (row.isLeftBehind ? 'unknown' : reason))
  for (const [reason, rows] of byOutcome) {
    const batch = { accountId: account.id, ids: rows.map(([row]) => row.id) }
    const ended = await endRows(write, batch, { state: reason === 'unknown' ? 'failed' : 'skipped', reason, now })
    await notify(write, { accountId: account.id, now }, ...noticesOfEnd(ended))
  }
}

/** One email, of one row or more. */
type Mail = readonly [Wanted, ...Wanted[]]

function mailsOf(wanted: Wanted[]): Mail[] {
  const mails: Mail[] = []
  for (const group of Map.groupBy(wanted, readerOf).values()) {
    for (let at = 0; at < group.length; at += MOST_IN_A_MAIL) {
      const [first, ...others] = group.slice(at, at + MOST_IN_A_MAIL)
      if (first) mails.push([first, ...others])
    }
  }
  return mails
}

/** The same for all that goes out together: an email that may have been sent is only repeated as it was. */
function readerOf({ row, contract }: Wanted): string {
  if (row.kind === 'manual') return `by hand ${row.id}`
  if (isRepeat({ row, contract })) return `again ${row.messageId ?? row.id}`
  return row.recipient === 'owner' ? 'owner' : `customer ${contract.email?.toLowerCase()}`
}

/** Whether it may have been sent, to the reader that it has now: for another one it is a message like any other. */
function isRepeat({ row, contract }: Wanted): boolean {
  return (row.isLeftBehind || row.repeats > 0) && !hasOtherReader(row, contract)
}

type Limited = Planning & Counting

/** Counts what goes to customers. What is over a limit waits; by hand nobody waits, and a repeat has no other day. */
async function limit(write: Read, mails: Mail[], limited: Limited): Promise<{ mails: Mail[]; held: number }> {
  const toCustomers = mails.filter(([{ row }]) => row.recipient === 'customer')
  const addresses = toCustomers.map(([{ contract }]) => contract.email ?? '')
  const refusals = await countMail(write, addresses, limited)
  const refused = new Map(toCustomers.flatMap((mail, place) => pairs(mail, refusals[place])))
  for (const [mail, reason] of refused) await hold(write, mail, { ...limited, reason })
  const [first] = [...refused].filter(([mail]) => mayWait(mail))
  if (first) await tellOfLimit(write, first[1], limited)
  const held = [...refused.keys()].reduce((count, mail) => count + mail.length, 0)
  return { mails: mails.filter((mail) => !refused.has(mail)), held }
}

function pairs(mail: Mail, refused: MailLimit | null | undefined): [Mail, MailLimit][] {
  return refused ? [[mail, refused]] : []
}

async function hold(write: Read, mail: Mail, { reason, ...limited }: Limited & { reason: MailLimit }): Promise<void> {
  const { account, now } = limited
  const rows = mail.map(({ row }) => row)
  if (!mayWait(mail)) {
    return end(
      write,
      rows.map((row): [DueRow, ReminderReason] => [row, 'limited']),
      limited,
    )
  }
  const until = triedAgainAt(now, { hour: account.settings.hour, timeZone: account.timeZone })
  await postpone(write, { accountId: account.id, ids: rows.map(({ id }) => id) }, { until, limit: reason })
}

function mayWait(mail: Mail): boolean {
  return !mail.some(({ row: { kind, isLeftBehind } }) => isLeftBehind || kind === 'manual')
}

type Taking = Planning & Pick<Outside, 'services'> & { linkKey: string }

async function take(write: Read, mail: Mail, { account, now, today, services, linkKey }: Taking): Promise<Claimed> {
  const [wanted, ...others] = mail
  const { row: first, contract } = wanted
  const rows = mail.map(({ row }) => row)
  const ids = rows.map(({ id }) => id)
  const { recipient } = first
  const { publicUrl, mailer } = services
  const message = mailAbout([contract, ...others.map((other) => other.contract)], {
    id: first.id,
    key: isRepeat(wanted) && first.messageId ? keyOfMessageId(first.messageId) : undefined,
    recipient,
    account,
    today,
    publicUrl,
    linkKey,
  })
  const claimed = { ids, accountId: account.id, sendingAt: now }
  await markSending(write, claimed, { message: sentMessage(message, mailer), isRepeat: first.isLeftBehind })
  return {
    ...claimed,
    message,
    today,
    countedOn: recipient === 'customer' ? mailDay(now) : undefined,
    attempts: Math.max(...rows.map(({ attempts }) => attempts)) + 1,
  }
}
