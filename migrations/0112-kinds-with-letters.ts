import { Migration } from '@mikro-orm/migrations'

/** Checks the messages and notices that were there before, while others are written. */
export class KindsWithLetters extends Migration {
  override up(): void {
    for (const check of ['kind', 'channel', 'line'])
      this.addSql(`alter table reminders validate constraint reminders_${check}_check`)
    this.addSql('alter table notices validate constraint notices_warned_check')
  }
}
