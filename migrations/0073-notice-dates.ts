import { Migration } from '@mikro-orm/migrations'

/** The last day for notice, as `lastDayForNotice` in the domain computes it; for lists of what is due. */
export class NoticeDates extends Migration {
  override up(): void {
    const count = `split_part(notice_period, ' ', 1)::int`
    const byDays = `renewal_date - ${count}`
    const byMonths = `(renewal_date - make_interval(months => ${count}))::date`
    this.addSql(`
      alter table contracts add notice_date date generated always as (case
        when notice_period like '% day%' and ${byDays} >= date '1900-01-01' then ${byDays}
        when notice_period like '% month%' and renewal_date >= date '1902-01-01' then ${byMonths} end) stored;
      create index contracts_notice on contracts (account_id, notice_date, id)
        where status in ('pending', 'active') and notice_date is not null;
      drop trigger contracts_edited on contracts;
      create trigger contracts_edited before update on contracts for each row when (new.import_id is not null)
        execute function note_edit(${KEPT_BY_TRAXX.join(', ')});
      drop trigger contracts_changed on contracts;
      create trigger contracts_changed after update on contracts referencing old table as old_rows new table as new_rows
        for each statement execute function record_changes(${['contract', ...UNRECORDED].join(', ')});
      drop trigger contracts_deleted on contracts;
      create trigger contracts_deleted after delete on contracts referencing old table as old_rows
        for each statement execute function record_changes(${['contract', ...UNRECORDED].join(', ')});`)
  }
}

/** Changing it alone is no edit of an imported contract. */
const KEPT_BY_TRAXX = [
  'import_id',
  'edited_at',
  'reminders_since',
  'pdf_bytes',
  'open_first',
  'term_number',
  'version',
  'acts_on',
  'notice_date',
]

/** What says nothing about a contract that its owner would want to read. */
const UNRECORDED = [
  'id',
  'account_id',
  'created_at',
  'created_by',
  'import_id',
  'edited_at',
  'version',
  'reminders_since',
  'pdf_bytes',
  'open_first',
  'term_start',
  'anchor_date',
  'held_renewal_date',
  'acts_on',
  'notice_date',
]
