import { Migration } from '@mikro-orm/migrations'

/** Accounts that the operator has suspended, and how the mail of all accounts is received. */
export class SuspendedAccounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table accounts add suspended_at timestamptz, add suspension_reason text;
      create policy keeper on complaints for select to current_user using (true);
      create function mail_reception(since timestamptz)
        returns table (account_id int, mails int, bounced int, complaints int)
        language sql stable security definer set search_path = pg_catalog, pg_temp as $$
          select m.account_id, m.mails, m.bounced, (
            select count(*)::int from public.complaints c
            where c.account_id = m.account_id and c.complained_at >= since)
          from (
            select r.account_id, count(distinct r.message_id)::int as mails,
              count(distinct r.message_id) filter (where r.bounced_at is not null)::int as bounced
            from public.reminders r
            where r.recipient = 'customer' and r.channel = 'email' and r.sent_at >= since and r.planned_at >= since - interval '7 days'
            group by r.account_id) m
        $$;
      revoke execute on function mail_reception(timestamptz) from public;
      grant execute on function mail_reception(timestamptz) to traxx_system;`)
  }
}
