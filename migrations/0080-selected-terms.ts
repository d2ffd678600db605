import { Migration } from '@mikro-orm/migrations'

/** The term that a contract had when it was selected for a change of many; null for those selected before. */
export class SelectedTerms extends Migration {
  override up(): void {
    this.addSql('alter table bulk_contracts add term_number int')
  }
}
