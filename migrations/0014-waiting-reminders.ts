import { Migration } from '@mikro-orm/migrations'

/** What of one account waits to be sent. Without it, planning an account walks through what waits of all of them. */
export class WaitingReminders extends Migration {
  override up(): void {
    this.addSql(`
      create index reminders_waiting on reminders (account_id, next_attempt_at)
        where state in ('planned', 'sending');`)
  }
}
