import { Migration } from '@mikro-orm/migrations'

/** How a letter with a notice was delivered, where a law counts only some ways. */
export class DeliveryOfLetters extends Migration {
  override up(): void {
    // No row has a value yet, so that there is nothing to validate.
    this.addSql(`
      alter table notices
        add column delivery text,
        add constraint notices_delivery_check check (delivery in ('in_person', 'certified_mail')) not valid`)
  }
}
