import { Migration } from '@mikro-orm/migrations'

/** Which version of a contract an import has changed: once it is undone, an earlier import that left that one can be as well. */
export class VersionsBeforeImports extends Migration {
  override up(): void {
    this.addSql(`
      alter table import_updates add version_before int, no force row level security;
      update import_updates set version_before = version - 1;
      alter table import_updates alter version_before set not null, force row level security;`)
  }
}
