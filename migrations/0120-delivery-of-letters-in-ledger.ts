import { Migration } from '@mikro-orm/migrations'

/** How a letter was delivered, also in the ledger, where it would read as mailed although it was handed over. */
export class DeliveryOfLettersInLedger extends Migration {
  override up(): void {
    // No row has a value yet, so that there is nothing to validate.
    this.addSql(`
      alter table reminders
        add column delivery text,
        add constraint reminders_delivery_check
          check (delivery is null or (kind = 'letter' and delivery in ('in_person', 'certified_mail'))) not valid`)
  }
}
