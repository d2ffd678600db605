import { Migration } from '@mikro-orm/migrations'

/**
 * Turning off emails about a renewal date is a person's decision about an imported contract, so undoing the import keeps
 * the contract. What stays in the list is set by TRAXX: `pdf_bytes` with `pdf_path`, which counts.
 */
const KEPT_BY_TRAXX = ['import_id', 'edited_at', 'reminders_since', 'pdf_bytes']

export class MutingIsAnEdit extends Migration {
  override up(): void {
    this.addSql(`
      drop trigger contracts_edited on contracts;
      create trigger contracts_edited before update on contracts for each row when (new.import_id is not null)
        execute function note_edit(${KEPT_BY_TRAXX.join(', ')});`)
  }
}
