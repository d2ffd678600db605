import { Migration } from '@mikro-orm/migrations'

/** Undoing an import is called that everywhere else. */
export class UndoneImports extends Migration {
  override up(): void {
    this.addSql('alter table imports rename column taken_back_at to undone_at;')
  }
}
