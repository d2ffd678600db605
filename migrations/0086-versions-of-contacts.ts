import { Migration } from '@mikro-orm/migrations'

/** Counts the changes of a contact, so that nobody overwrites one that they have not seen. */
export class VersionsOfContacts extends Migration {
  override up(): void {
    this.addSql(`
      alter table customer_contacts add version int not null default 1;
      create trigger customer_contacts_version before update on customer_contacts
        for each row execute function count_version();`)
  }
}
