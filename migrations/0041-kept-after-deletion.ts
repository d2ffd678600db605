import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/**
 * What deleting an account and signing up anew with the same address is not to undo: that its mail was paused, and whose
 * readers want none. Of addresses there are hashes alone.
 */
export class KeptAfterDeletion extends Migration {
  override up(): void {
    this.stops()
    this.closures()
    this.closeAgain()
  }

  stops(): void {
    this.addSql(`
      create table kept_mail_stops (
        email_hash bytea primary key,
        stopped_at timestamptz not null,
        complaints int not null,
        mails int not null
      );
      alter table kept_mail_stops enable row level security;
      alter table kept_mail_stops force row level security;
      create policy system on kept_mail_stops for all to traxx_system using (true) with check (true);
      grant select, insert, delete on kept_mail_stops to traxx_system;
      grant insert on mail_stops to traxx_system;`)
  }

  /** An account sees those of its owner's former accounts, by the hash that it has been opened with. */
  closures(): void {
    this.addSql(`
      alter table accounts add former_hash bytea;
      create table kept_closures (
        email_hash bytea not null,
        mailbox_hash bytea not null,
        reason text not null check (reason in ('unsubscribed', 'complained')),
        closed_at timestamptz not null,
        primary key (email_hash, mailbox_hash)
      );
      alter table kept_closures enable row level security;
      alter table kept_closures force row level security;
      create policy system on kept_closures for all to traxx_system using (true) with check (true);
      grant select, insert, update on kept_closures to traxx_system;
      create policy tenant on kept_closures for all to traxx_app
        using (email_hash = (select former_hash from accounts where id = ${TENANT}));
      grant select, delete on kept_closures to traxx_app;
      create policy closures on closed_addresses for select to traxx_system using (true);
      grant select on closed_addresses to traxx_system;`)
  }

  /** By whatever way a customer comes to an address. */
  closeAgain(): void {
    this.addSql(`
      create function kept_mailbox(owner bytea, mailbox text) returns bytea language sql immutable strict parallel safe
        as $$ select sha256(owner || convert_to(mailbox, 'UTF8')) $$;
      create function close_kept_addresses() returns trigger language plpgsql as $$
        begin
          insert into closed_addresses (account_id, address, reason, closed_at)
            select c.account_id, lower(c.email), k.reason, k.closed_at
            from changed c join accounts a on a.id = c.account_id
              join kept_closures k on k.email_hash = a.former_hash
                and k.mailbox_hash = kept_mailbox(a.former_hash, c.mailbox)
            on conflict do nothing;
          return null;
        end $$;
      create trigger customers_kept_on_insert after insert on customers referencing new table as changed
        for each statement execute function close_kept_addresses();
      create trigger customers_kept_on_update after update on customers referencing new table as changed
        for each statement execute function close_kept_addresses();`)
  }
}
