import { randomBytes } from 'node:crypto'
import { Migration } from '@mikro-orm/migrations'

export class UnsubscribeAndBounces extends Migration {
  override up(): void {
    this.unsubscribeKey()
    this.postedReminders()
  }

  /** What the links in customers' e-mails are sealed with. It goes with a dump of the database, as the links do. */
  unsubscribeKey(): void {
    this.addSql(`
      create function unsubscribe_key() returns text language sql immutable parallel safe
        as $$ select '${randomBytes(32).toString('base64url')}' $$;
      revoke execute on function unsubscribe_key() from public;
      grant execute on function unsubscribe_key() to traxx_app;`)
  }

  /** What the mail provider tells of a message names no account: whose it is, the system role may see. */
  postedReminders(): void {
    this.addSql(`
      create policy posted on reminders for select to traxx_system using (state in ('sent', 'delivered', 'bounced'));`)
  }
}
