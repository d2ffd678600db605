import { Migration } from '@mikro-orm/migrations'

/** For finding customers by the name of their first contact, whose email and phone are the customer's own. */
export class IndexOfFirstContacts extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('drop index concurrently if exists customers_contact_search')
    this.addSql(`
      create index concurrently customers_contact_search on customers
        using gin (account_id, fold_text(contact_name) collate "C" gin_trgm_ops)
        where contact_name is not null and deleted_at is null`)
  }
}
