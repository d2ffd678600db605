import { Migration } from '@mikro-orm/migrations'

/** The kinds of notifications are those of the shared schema, and the type of what is sent; the table repeated them. */
export class NotificationKinds extends Migration {
  override up(): void {
    this.addSql('alter table notifications drop constraint notifications_type_check')
  }
}
