import { Migration } from '@mikro-orm/migrations'

/** Of which windows that close without notice the owner was warned. */
export class NoticeWarnings extends Migration {
  override up(): void {
    this.addSql(`
      alter table notices
        -- The last warning: how many days before, of which last day, and when.
        add column warned_days int,
        add column warned_last_day date,
        add column warned_at timestamptz,
        -- When the owner is emailed about it, while that is still to be done, and the day on which that was done.
        add column owner_email_at timestamptz,
        add column owner_emailed_on date,
        add constraint notices_warned_check check (
          warned_days in (7, 2) and warned_last_day is not null and warned_at is not null
          or warned_days is null and warned_last_day is null and warned_at is null) not valid;
      -- What the job that emails owners may see of all accounts.
      create policy warned on notices for select to traxx_system using (owner_email_at is not null);
      grant select (account_id, owner_email_at) on notices to traxx_system;`)
  }
}
