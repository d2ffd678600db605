import { Migration } from '@mikro-orm/migrations'

/** What a row has besides what people enter: kept by TRAXX, or derived from other columns by the table. */
const KEPT_BY_TRAXX = {
  customers: ['import_id', 'edited_at', 'search_text', 'email_key', 'mailbox'],
  contracts: ['import_id', 'edited_at', 'reminders_since', 'muted_renewal_date', 'pdf_bytes'],
}

/**
 * An imported row counts as edited as soon as any of its columns but these is changed. A column that is added later
 * counts by itself, so that undoing the import never removes what somebody has entered into it.
 */
export class EditedRows extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function note_edit() returns trigger language plpgsql as $$
        begin
          if to_jsonb(new) - tg_argv is distinct from to_jsonb(old) - tg_argv then
            new.edited_at := now();
          end if;
          return new;
        end $$;`)
    for (const [table, columns] of Object.entries(KEPT_BY_TRAXX)) {
      this.addSql(`
        drop trigger ${table}_edited on ${table};
        create trigger ${table}_edited before update on ${table} for each row when (new.import_id is not null)
          execute function note_edit(${columns.join(', ')});`)
    }
  }
}
