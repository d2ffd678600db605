import { expect, test } from 'vitest'
import { z } from 'zod'
import { useWorld } from '#support/world.ts'

const world = useWorld()

const Readable = z.object({ table: z.string(), columns: z.array(z.string()) })

/** What hardly any row of an account may be among. */
const OF_ACCOUNTS: Record<string, string[]> = {
  closed_addresses: ['account_id', 'address', 'closed_at', 'mailbox', 'reason'],
  companies: ['account_id', 'logo_path', 'owner_told_at', 'waiting_since'],
  bulk_changes: ['account_id', 'created_by', 'id', 'state'],
  contracts: ['account_id', 'acts_on', 'deleted_at', 'pdf_path'],
  customers: ['account_id', 'deleted_at'],
  kept_pdfs: ['account_id', 'kept_at', 'path'],
  notices: ['account_id', 'owner_email_at'],
  reminders: ['account_id', 'id', 'next_attempt_at', 'state'],
  renewal_settings: ['account_id', 'end_overdue_after_days', 'ended_through'],
}

/** What sign-in, billing and jobs are about. */
const OF_THE_SYSTEM = [
  'accounts',
  'api_keys',
  'job_runs',
  'kept_closures',
  'kept_mail_stops',
  'mail_counts',
  'mail_stops',
  'mail_webhook_tokens',
  'migrations',
  'proof_heads',
  'rate_limits',
  'reminder_schedules',
  'spent_trials',
  'stripe_events',
  'subscriptions',
]

test('the role that works across accounts reads no details of customers, no notifications, and no texts', async () => {
  const { rows } = await world.db.system.query(`
    select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
      and has_column_privilege('traxx_system', c.oid, a.attnum, 'select')
    group by c.relname order by c.relname`)
  const readable = z.array(Readable).parse(rows)
  const others = readable.filter(({ table }) => !OF_THE_SYSTEM.includes(table))
  expect(Object.fromEntries(others.map(({ table, columns }) => [table, columns]))).toEqual(OF_ACCOUNTS)
})
