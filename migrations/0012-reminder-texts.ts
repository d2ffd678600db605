import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

export class ReminderTexts extends Migration {
  override up(): void {
    this.texts()
    this.actionUrls()
  }

  /** What an account writes to its customers in its own words. */
  texts(): void {
    this.addSql(`
      create table reminder_texts (
        account_id int not null references accounts on delete cascade,
        kind text not null check (kind in ('reminder', 'follow_up')),
        subject text not null,
        body text not null,
        primary key (account_id, kind)
      );
      alter table reminder_texts enable row level security;
      alter table reminder_texts force row level security;
      create policy tenant on reminder_texts for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on reminder_texts to traxx_app;`)
  }

  /** Browsers drop tabs and line ends, and read a backslash as a slash, before they look where an address leads. */
  actionUrls(): void {
    this.addSql(String.raw`
      alter table notifications drop constraint notifications_action_url_check,
        add constraint notifications_action_url_check check (action_url ~ '^/(?!/)[^\\[:cntrl:]]*$');`)
  }
}
