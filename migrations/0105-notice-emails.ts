import { Migration } from '@mikro-orm/migrations'

/** Notices by email are messages of their own kind, in words of their own. */
export class NoticeEmails extends Migration {
  override up(): void {
    this.addSql(`
      alter table reminders drop constraint reminders_kind_check,
        add constraint reminders_kind_check
          check (kind in ('reminder', 'follow_up', 'manual', 'confirmation', 'notice', 'answer', 'reply')) not valid;
      alter table reminder_texts drop constraint reminder_texts_kind_check,
        add constraint reminder_texts_kind_check
          check (kind in ('reminder', 'reminder_automatic', 'reminder_never', 'follow_up', 'confirmation', 'notice')) not valid;`)
  }
}
