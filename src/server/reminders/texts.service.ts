import sql from 'sql-template-tag'
import { isPaying } from '#shared/domain/access.ts'
import { DEFAULT_TEXTS, textHasLink, type ReminderText, type TextKind } from '#shared/domain/reminder-text.ts'
import { AppError } from '#shared/errors.ts'
import type { TextOfKind, WriteText } from '#shared/schemas/reminder-texts.ts'
import type { ReaderContext, SubscriberContext } from '#server/context.ts'
import type { Read } from '#server/db/database.ts'

interface TextView extends ReminderText {
  /** Not changed by the account. */
  isDefault: boolean
}

export type TextsView = Record<TextKind, TextView>

/** What the account writes to its customers before a renewal date, and after it. */
export async function getTexts({ read, accountId }: ReaderContext): Promise<TextsView> {
  return readTexts(read, accountId)
}

/**
 * It counts from the next message on; what was sent stands in the ledger as it was.
 * @throws TEXT_HAS_LINKS where nobody has paid yet
 */
export async function saveText(ctx: SubscriberContext, text: WriteText): Promise<TextsView> {
  const { write, accountId, caller } = ctx
  const { kind, subject, body } = text
  if (!isPaying(caller.subscription) && textHasLink(text)) throw new AppError('TEXT_HAS_LINKS')
  if (isDefault(kind, text)) return discard(write, { accountId, kind })
  await write(sql`
    insert into reminder_texts (account_id, kind, subject, body) values (${accountId}, ${kind}, ${subject}, ${body})
    on conflict (account_id, kind) do update set subject = excluded.subject, body = excluded.body`)
  return readTexts(write, accountId)
}

/** Resetting twice changes nothing. */
export async function resetText({ write, accountId }: SubscriberContext, { kind }: TextOfKind): Promise<TextsView> {
  return discard(write, { accountId, kind })
}

async function discard(write: Read, { accountId, kind }: TextOfKind & { accountId: number }): Promise<TextsView> {
  await write(sql`delete from reminder_texts where account_id = ${accountId} and kind = ${kind}`)
  return readTexts(write, accountId)
}

async function readTexts(read: Read, accountId: number): Promise<TextsView> {
  const rows = await read<ReminderText & { kind: TextKind }>(
    sql`select kind, subject, body from reminder_texts where account_id = ${accountId}`,
  )
  const viewOf = (kind: TextKind): TextView => {
    const { subject, body } = rows.find((row) => row.kind === kind) ?? DEFAULT_TEXTS[kind]
    return { subject, body, isDefault: isDefault(kind, { subject, body }) }
  }
  return { reminder: viewOf('reminder'), follow_up: viewOf('follow_up') }
}

function isDefault(kind: TextKind, { subject, body }: ReminderText): boolean {
  return subject === DEFAULT_TEXTS[kind].subject && body === DEFAULT_TEXTS[kind].body
}
