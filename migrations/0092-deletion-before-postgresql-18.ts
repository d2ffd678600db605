import { Migration } from '@mikro-orm/migrations'

/**
 * Deleting an account deletes its customers and contracts, whose trigger records nothing then. Before PostgreSQL 18 it does
 * so in the name of the role that deletes, which has to be allowed to record.
 */
export class DeletionBeforePostgresql18 extends Migration {
  override up(): void {
    this.addSql(`grant insert on activity to traxx_system`)
  }
}
