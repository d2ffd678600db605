import { Migration } from '@mikro-orm/migrations'

/** When the owner of an account without access was told that it will be deleted. */
export class DeletionNotices extends Migration {
  override up(): void {
    this.addSql(`
      alter table accounts
        add first_deletion_notice_at timestamptz,
        add last_deletion_notice_at timestamptz;`)
  }
}
