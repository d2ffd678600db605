import { Migration } from '@mikro-orm/migrations'

/** What a key may do, until when, and who used it last. Keys that were made before may do all, without an end. */
export class ApiKeyScopes extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_keys
        add column scope text not null default 'all' check (scope in ('read', 'write', 'all')),
        add column expires_on date,
        add column last_used_address text;
      alter table api_keys alter column scope drop default;`)
  }
}
