import { Migration } from '@mikro-orm/migrations'

const TABLES_READ_ACROSS_ACCOUNTS = ['accounts', 'spent_trials']

/** An account whose address changes takes over what the new mailbox brings with it. */
export class TakenOverMailboxes extends Migration {
  override up(): void {
    this.closeKnownCustomers()
    this.rowSecurity('no force')
    this.spendTrials()
    this.rowSecurity('force')
  }

  /** Its customers were there before it came to the readers who want no mail. */
  closeKnownCustomers(): void {
    this.addSql(`
      create policy keeper on closed_addresses for all to current_user using (true) with check (true);
      create policy keeper on kept_closures for select to current_user using (true);
      create function close_taken_over_addresses() returns trigger language plpgsql security definer
        set search_path = pg_catalog, pg_temp as $$
        begin
          insert into public.closed_addresses (account_id, address, reason, closed_at)
            select c.account_id, lower(c.email), k.reason, k.closed_at
            from public.customers c cross join unnest(new.former_hashes) former (hash)
              join public.kept_closures k on k.email_hash = former.hash
                and k.mailbox_hash = public.kept_mailbox(former.hash, c.mailbox)
            where c.account_id = new.id
            order by k.reason
            on conflict do nothing;
          return null;
        end $$;
      create trigger accounts_taken_over after update of former_hashes on accounts for each row
        when (new.former_hashes is distinct from old.former_hashes) execute function close_taken_over_addresses();`)
  }

  /** Row-level security binds the owner of the tables too. */
  rowSecurity(force: 'force' | 'no force'): void {
    for (const table of TABLES_READ_ACROSS_ACCOUNTS) this.addSql(`alter table ${table} ${force} row level security;`)
  }

  /** Of accounts whose address was changed before. */
  spendTrials(): void {
    this.addSql(`
      update accounts a set trial_used_at = had.used_at
        from (
          select mailbox, min(used_at) as used_at from (
            select trial_hash(email) as mailbox, trial_used_at as used_at from accounts where trial_used_at is not null
            union all select email_hash, used_at from spent_trials) known
          group by mailbox) had
        where a.email <> '' and a.trial_used_at is null and had.mailbox = trial_hash(a.email);`)
  }
}
