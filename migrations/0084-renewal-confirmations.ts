import { Migration } from '@mikro-orm/migrations'

/** Customers can be told of a renewal: once for each term and contact, in words of the account's own. */
export class RenewalConfirmations extends Migration {
  override up(): void {
    this.addSql(`
      alter table reminders drop constraint reminders_kind_check,
        add constraint reminders_kind_check check (kind in ('reminder', 'follow_up', 'manual', 'confirmation'));
      create unique index reminders_confirmation on reminders (account_id, contract_id, term_number, contact_id)
        where kind = 'confirmation';
      alter table reminder_texts drop constraint reminder_texts_kind_check,
        add constraint reminder_texts_kind_check
          check (kind in ('reminder', 'reminder_automatic', 'reminder_never', 'follow_up', 'confirmation'));
      alter table renewal_settings add confirm_renewals boolean not null default false;`)
  }
}
