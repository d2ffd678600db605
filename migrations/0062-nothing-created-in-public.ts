import { Migration } from '@mikro-orm/migrations'

/**
 * A database that comes from PostgreSQL 14 or older lets every role create tables and functions in the schema public. Where
 * the owner of the tables may not take that back, PostgreSQL warns, and the server's own check at the start refuses.
 */
export class NothingCreatedInPublic extends Migration {
  override up(): void {
    this.addSql('revoke create on schema public from public, traxx_app, traxx_system;')
  }
}
