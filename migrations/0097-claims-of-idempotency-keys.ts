import { Migration } from '@mikro-orm/migrations'

/** Which attempt took a key, so that one that does not know whether its commit was carried out finds out. */
export class ClaimsOfIdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`alter table idempotency_keys add claim_id uuid`)
  }
}
