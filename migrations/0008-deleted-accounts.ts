import { randomBytes } from 'node:crypto'
import { Migration } from '@mikro-orm/migrations'

export class DeletedAccounts extends Migration {
  override up(): void {
    this.leaving()
    this.spentTrials()
  }

  /** From then on the account is nobody's: what a crash leaves of its removal is found by this, and finished. */
  leaving(): void {
    this.addSql(`
      alter table accounts add deleting_at timestamptz;
      create unique index accounts_deleting on accounts (id) where deleting_at is not null;`)
  }

  /**
   * All that stays of an account that had its trial. The key keeps the hashes from being looked up elsewhere; it goes
   * with a dump of the database, as they do.
   */
  spentTrials(): void {
    this.addSql(`
      create function trial_hash(email text) returns bytea language sql immutable parallel safe
        as $$ select sha256(convert_to('${randomBytes(32).toString('base64url')}' || lower(btrim(email)), 'UTF8')) $$;
      revoke execute on function trial_hash(text) from public;
      grant execute on function trial_hash(text) to traxx_system;

      create table spent_trials (
        email_hash bytea primary key,
        used_at timestamptz not null
      );
      alter table spent_trials enable row level security;
      alter table spent_trials force row level security;
      create policy system on spent_trials for all to traxx_system using (true) with check (true);
      grant select, insert on spent_trials to traxx_system;`)
  }
}
