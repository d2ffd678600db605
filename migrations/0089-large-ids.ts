import { Migration } from '@mikro-orm/migrations'

/** An archive can have millions of messages and changes, and 32 bits hold only some thousand such archives. */
export class LargeIds extends Migration {
  override up(): void {
    this.addSql(`
      alter table activity alter id type bigint;
      alter table reminders alter id type bigint;
      alter table complaints alter reminder_id type bigint;`)
  }
}
