import { Migration } from '@mikro-orm/migrations'

/**
 * Reminders of contracts that renew automatically or never have texts of their own. What an account has worded for all its
 * reminders it keeps for all of them. Row-level security binds the owner too.
 */
export class TextsByRenewal extends Migration {
  override up(): void {
    this.addSql(`
      alter table reminder_texts drop constraint reminder_texts_kind_check,
        add constraint reminder_texts_kind_check
          check (kind in ('reminder', 'reminder_automatic', 'reminder_never', 'follow_up'));
      alter table reminder_texts no force row level security;
      insert into reminder_texts (account_id, kind, subject, body)
        select account_id, new_kind, subject, body
        from reminder_texts, unnest('{reminder_automatic,reminder_never}'::text[]) new_kind where kind = 'reminder';
      alter table reminder_texts force row level security;`)
  }
}
