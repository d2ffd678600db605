import { Migration } from '@mikro-orm/migrations'

/** Checks the rows that were there before, while others are written. */
export class KindsOfReminders extends Migration {
  override up(): void {
    this.addSql('alter table reminders validate constraint reminders_kind_check')
  }
}
