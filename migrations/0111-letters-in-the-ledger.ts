import { Migration } from '@mikro-orm/migrations'

/** Letters that were mailed are rows of the ledger, with the number of certified mail. */
export class LettersInTheLedger extends Migration {
  override up(): void {
    this.addSql(`
      -- The check without a name of its own, by which customers only get email.
      do $$
      declare named text;
      begin
        select conname into strict named from pg_constraint where conrelid = 'reminders'::regclass and contype = 'c'
          and pg_get_constraintdef(oid) like '%recipient = ''owner''%' and pg_get_constraintdef(oid) like '%channel = ''email''%';
        execute format('alter table reminders drop constraint %I', named);
      end $$;
      alter table reminders add column mail_number text,
        drop constraint reminders_kind_check,
        add constraint reminders_kind_check check (kind in
          ('reminder', 'follow_up', 'manual', 'confirmation', 'notice', 'answer', 'reply', 'letter')) not valid,
        drop constraint reminders_channel_check,
        add constraint reminders_channel_check check (channel in ('email', 'in_app', 'letter')) not valid,
        add constraint reminders_line_check check (
          (kind = 'letter') = (channel = 'letter')
          and (channel <> 'letter' or recipient = 'customer' and state = 'sent')
          and (recipient = 'owner' or channel <> 'in_app')) not valid;`)
  }
}
