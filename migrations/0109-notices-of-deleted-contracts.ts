import { Migration } from '@mikro-orm/migrations'

/** A notice that was given by email stays given when its contract is deleted for good. */
export class NoticesOfDeletedContracts extends Migration {
  override up(): void {
    this.addSql(`
      -- The row of the ledger by which notice was given, once the contract is deleted; before, they have the contract in common.
      alter table notices add column email_id bigint`)
  }
}
