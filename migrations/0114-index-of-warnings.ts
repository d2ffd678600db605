import { Migration } from '@mikro-orm/migrations'

/** For finding the warnings that are to be emailed. */
export class IndexOfWarnings extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('drop index concurrently if exists notices_to_email')
    this.addSql(`
      create unique index concurrently notices_to_email on notices (owner_email_at, id) where owner_email_at is not null`)
  }
}
