import { Migration } from '@mikro-orm/migrations'

/** How many messages there are in each state is nobody's secret; more than that the system role does not see of them. */
export class ReminderMetrics extends Migration {
  override up(): void {
    this.addSql(`
      create index reminders_planned_at on reminders using brin (planned_at);
      create policy keeper on reminders for select to current_user using (true);
      create function reminder_states_of_last_day() returns table (state text, count int)
        language sql stable security definer set search_path = pg_catalog, pg_temp as $$
          select r.state, count(*)::int from public.reminders r
          where r.planned_at > now() - interval '1 day' group by r.state order by r.state
        $$;
      revoke execute on function reminder_states_of_last_day() from public;
      grant execute on function reminder_states_of_last_day() to traxx_system;`)
  }
}
