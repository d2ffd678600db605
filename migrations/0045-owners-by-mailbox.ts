import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`
/** In the owner's name; the pinned path keeps others' objects out. */
const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp'

/** What outlives an account is found by its owner's mailbox, however its address is written: by 'ann+2@' what 'ann@' left. */
export class OwnersByMailbox extends Migration {
  override up(): void {
    this.hashes()
    this.formerHashes()
  }

  /** Hashes kept before were of the address as it was written, and cannot be computed anew: both are looked for. */
  hashes(): void {
    const secret = `(select value from public.secrets where name = 'trial')`
    this.addSql(`
      create function trial_hashes(email text) returns bytea[] language sql stable parallel safe ${AS_OWNER}
        as $$ select array[sha256(convert_to(${secret} || public.mailbox_of(email), 'UTF8')),
          sha256(convert_to(${secret} || lower(btrim(email)), 'UTF8'))] $$;
      revoke execute on function trial_hashes(text) from public;
      grant execute on function trial_hashes(text) to traxx_system;
      drop index accounts_trial_hash;
      create or replace function trial_hash(email text) returns bytea language sql immutable parallel safe ${AS_OWNER}
        as $$ select sha256(convert_to(${secret} || public.mailbox_of(email), 'UTF8')) $$;
      create index accounts_trial_hash on accounts (trial_hash(email));`)
  }

  /** An account may have a past under both hashes. */
  formerHashes(): void {
    this.addSql(`
      drop policy tenant on kept_closures;
      alter table accounts alter former_hash type bytea[]
        using case when former_hash is not null then array[former_hash] end;
      alter table accounts rename former_hash to former_hashes;
      create policy tenant on kept_closures for all to traxx_app
        using (email_hash = any (array(select unnest(former_hashes) from accounts where id = ${TENANT})));
      create or replace function close_kept_addresses() returns trigger language plpgsql as $$
        begin
          insert into closed_addresses (account_id, address, reason, closed_at)
            select c.account_id, lower(c.email), k.reason, k.closed_at
            from changed c join accounts a on a.id = c.account_id
              cross join unnest(a.former_hashes) former (hash)
              join kept_closures k on k.email_hash = former.hash
                and k.mailbox_hash = kept_mailbox(former.hash, c.mailbox)
            order by k.reason
            on conflict do nothing;
          return null;
        end $$;`)
  }
}
