import { Migration } from '@mikro-orm/migrations'

/** A notification that is cleared is kept for a day, so that clearing can be undone. */
export class ClearedNotifications extends Migration {
  override up(): void {
    this.addSql(`
      alter table notifications add column cleared_at timestamptz;
      drop index notifications_latest;
      drop index notifications_unread;
      create index notifications_latest on notifications (account_id, created_at desc, id desc)
        where cleared_at is null;
      create index notifications_unread on notifications (account_id, created_at desc, id desc)
        where read_at is null and cleared_at is null;
      create index notifications_cleared on notifications (account_id, cleared_at) where cleared_at is not null;`)
  }
}
