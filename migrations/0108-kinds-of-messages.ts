import { Migration } from '@mikro-orm/migrations'

/** Checks the messages and texts that were there before, while others are written. */
export class KindsOfMessages extends Migration {
  override up(): void {
    this.addSql('alter table reminders validate constraint reminders_kind_check')
    this.addSql('alter table reminder_texts validate constraint reminder_texts_kind_check')
  }
}
