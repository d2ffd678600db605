import { Migration } from '@mikro-orm/migrations'

export class SampleData extends Migration {
  /** Sample data is an import whose rows are ours: there is at most one of it that was not taken back. */
  override up(): void {
    this.addSql(`
      alter table imports add is_sample boolean not null default false;
      create unique index imports_sample on imports (account_id) where is_sample and taken_back_at is null;`)
  }
}
