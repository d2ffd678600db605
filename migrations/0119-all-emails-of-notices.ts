import { Migration } from '@mikro-orm/migrations'

/** A notice stays given when its contract is deleted for good and the first of its emails bounces later. */
export class AllEmailsOfNotices extends Migration {
  override up(): void {
    this.addSql(`
      -- The rows of the ledger with its emails, once the contract is deleted; of those deleted before, email_id is the first.
      alter table notices add column email_ids bigint[]`)
  }
}
