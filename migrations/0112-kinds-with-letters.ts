import { Migration } from '@mikro-orm/migrations'

/** Checks the messages that were there before, while others are written. */
export class KindsWithLetters extends Migration {
  override up(): void {
    for (const check of ['kind', 'channel', 'line'])
      this.addSql(`alter table reminders validate constraint reminders_${check}_check`)
  }
}
