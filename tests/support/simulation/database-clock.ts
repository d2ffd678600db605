import type { Client } from 'pg'

const FUNCTIONS = ['set_reminders_since', 'wake_reminders', 'wake_reminders_of_account']

/** From here on the database's triggers and defaults live in the simulation's time. Answers how to set it. */
export async function takeOverClock(owner: Client): Promise<(now: Date) => Promise<void>> {
  await owner.query(`
    create table simulated_clock (at timestamptz not null);
    insert into simulated_clock values (now());
    create function simulated_now() returns timestamptz language sql stable security definer
      as 'select at from public.simulated_clock';
    alter table contracts alter reminders_since set default simulated_now(), alter created_at set default simulated_now()`)
  for (const name of FUNCTIONS) await owner.query(await inSimulatedTime(owner, name))
  return async (now) => void (await owner.query('update simulated_clock set at = $1', [now]))
}

async function inSimulatedTime(owner: Client, name: string): Promise<string> {
  const { rows } = await owner.query<{ definition: string }>('select pg_get_functiondef($1::regproc) as definition', [
    name,
  ])
  const real = rows[0]?.definition ?? ''
  const simulated = real
    .replaceAll('now()', 'public.simulated_now()')
    .replaceAll('current_date', `(public.simulated_now() at time zone 'UTC')::date`)
  if (simulated === real) throw new Error(`${name} does not look at the clock`)
  return simulated
}
