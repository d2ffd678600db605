import { Migration } from '@mikro-orm/migrations'

/** Customers are not written to about this renewal date of their contract; about the next one they are again. */
export class MutedRenewals extends Migration {
  override up(): void {
    this.addSql(`alter table contracts add muted_renewal_date date;`)
  }
}
