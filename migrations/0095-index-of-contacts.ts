import { Migration } from '@mikro-orm/migrations'

/** For finding customers by their further contacts. */
export class IndexOfContacts extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('drop index concurrently if exists customer_contacts_search')
    this.addSql(`
      create index concurrently customer_contacts_search on customer_contacts
        using gin (account_id, fold_text(name) collate "C" gin_trgm_ops, fold_text(email) collate "C" gin_trgm_ops,
          phone_text(phone) collate "C" gin_trgm_ops)`)
  }
}
