import { Migration } from '@mikro-orm/migrations'

/** `position` is a function's name in SQL. */
export class OrderOfSavedViews extends Migration {
  override up(): void {
    this.addSql('alter table saved_views rename column position to sort_position;')
  }
}
