import { Migration } from '@mikro-orm/migrations'

/** Letters that were mailed are rows of the ledger, with the number of certified mail. */
export class LettersInTheLedger extends Migration {
  override up(): void {
    this.addSql(`
      alter table reminders add column mail_number text,
        -- That customers only get email, without a name of its own since 0006.
        drop constraint reminders_check2,
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
