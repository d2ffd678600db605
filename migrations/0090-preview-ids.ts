import { Migration } from '@mikro-orm/migrations'

/**
 * IDs for rows that are rolled back, so that previews use up no others: a sequence is not rolled back. No table comes near
 * them, and they may come again.
 */
export class PreviewIds extends Migration {
  override up(): void {
    this.addSql(`
      create sequence preview_ids as int minvalue 2000000001 cycle;
      grant usage on sequence preview_ids to traxx_app;`)
  }
}
