import { Migration } from '@mikro-orm/migrations'

/** How many changes of one customer or contract are kept; a few more until the oldest are forgotten. */
const MOST_CHANGES = 1000

/**
 * Records the same as before. Each row becomes JSON once, and not once for each of its columns: a change of many rows took
 * ten times as long to record as to make.
 */
export class ActivityOfManyRows extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function record_changes() returns trigger language plpgsql as $$
        declare
          who text := nullif(current_setting('app.actor', true), '');
          unrecorded text[] := tg_argv[1:];
        begin
          if who is null and current_user = 'traxx_app' then
            raise exception 'app.actor is not set';
          end if;
          if tg_op = 'UPDATE' then
            with n as materialized (select account_id, id, to_jsonb(r) - unrecorded as fields from new_rows r),
            o as materialized (select id, to_jsonb(r) - unrecorded as fields from old_rows r),
            added as (
              insert into activity (account_id, about, about_id, actor, before, after)
              select n.account_id, tg_argv[0], n.id, coalesce(who, 'operator'), changed.before, changed.after
              -- Both have the same rows. A full join is a hash or merge join, also in a plan that was made for one row.
              from n full join o on o.id = n.id
              cross join lateral (
                select jsonb_object_agg(f.key, o.fields -> f.key) as before, jsonb_object_agg(f.key, f.value) as after
                from jsonb_each(n.fields) f where o.fields -> f.key is distinct from f.value) changed
              where o.fields is distinct from n.fields
              returning id, account_id, about, about_id)
            -- Once in a hundred times, the oldest changes of a row that has very many are forgotten.
            delete from activity a using added n
            where n.id % 100 = 0 and a.account_id = n.account_id and a.about = n.about and a.about_id = n.about_id
              and a.id <= (select id from activity where account_id = n.account_id and about = n.about
                and about_id = n.about_id order by id desc offset ${MOST_CHANGES} limit 1);
          else
            -- The activity of an account that is being deleted goes with it.
            insert into activity (account_id, about, about_id, actor, before)
            select account_id, tg_argv[0], id, coalesce(who, 'operator'), to_jsonb(r) - unrecorded from old_rows r
            where exists (select from accounts a where a.id = r.account_id and a.deleting_at is null);
          end if;
          return null;
        end $$;`)
  }
}
