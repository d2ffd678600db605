import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`
const REMINDER_OPTIONS = `'{30,14,7,3,1}'::int[]`
const FOLLOW_UP_OPTIONS = `'{1,3,7,14,30}'::int[]`

/** Rows of `table` belong to the account in `account_id`: the app role sees no others, whoever forgets to ask. */
function tenantTable(table: string) {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy tenant on ${table} for all to traxx_app
      using (account_id = ${TENANT}) with check (account_id = ${TENANT});
    grant select, insert, update, delete on ${table} to traxx_app;`
}

/** Work that crosses accounts has a role of its own. */
function systemTable(table: string) {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy system on ${table} for all to traxx_system using (true) with check (true);
    grant select, insert, update, delete on ${table} to traxx_system;`
}

export class Reminders extends Migration {
  override up(): void {
    this.preferences()
    this.ledger()
    this.schedules()
    this.wakes()
    this.runs()
  }

  preferences(): void {
    this.addSql(`
      create table reminder_preferences (
        account_id int primary key references accounts on delete cascade,
        enable_notifications boolean not null,
        reminder_days int[] not null check (reminder_days <@ ${REMINDER_OPTIONS}),
        follow_up_days int[] not null check (follow_up_days <@ ${FOLLOW_UP_OPTIONS}),
        email boolean not null,
        in_app boolean not null,
        hour int not null check (hour between 0 and 23),
        sender_name text,
        reply_to text
      );
      ${tenantTable('reminder_preferences')}

      create table contract_reminder_preferences (
        account_id int not null,
        contract_id int not null,
        enable_notifications boolean,
        reminder_days int[] check (reminder_days <@ ${REMINDER_OPTIONS}),
        follow_up_days int[] check (follow_up_days <@ ${FOLLOW_UP_OPTIONS}),
        email boolean,
        in_app boolean,
        primary key (account_id, contract_id),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete cascade
      );
      ${tenantTable('contract_reminder_preferences')}`)
  }

  /** Names stand in it themselves: it outlives contracts and customers. */
  ledger(): void {
    this.addSql(`
      create table reminders (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        contract_id int,
        customer_id int,
        customer_name text not null,
        renewal_date date not null,
        kind text not null check (kind in ('reminder', 'follow_up', 'manual')),
        offset_days int not null,
        due_on date not null,
        recipient text not null check (recipient in ('customer', 'owner')),
        channel text not null check (channel in ('email', 'in_app')),
        state text not null
          check (state in ('planned', 'sending', 'sent', 'skipped', 'failed', 'delivered', 'bounced')),
        reason text check ((reason is not null) = (state in ('skipped', 'failed'))),
        address text,
        subject text,
        body text,
        message_id text,
        attempts int not null default 0,
        repeats int not null default 0 check (repeats <= 1),
        answer text,
        next_attempt_at timestamptz check ((next_attempt_at is not null) = (state in ('planned', 'sending'))),
        planned_at timestamptz not null,
        sending_at timestamptz,
        sent_at timestamptz,
        sent_on date,
        ended_at timestamptz,
        delivered_at timestamptz,
        bounced_at timestamptz,
        check (recipient = 'owner' or channel = 'email'),
        unique (account_id, contract_id, renewal_date, kind, offset_days, recipient, channel),
        foreign key (account_id, contract_id) references contracts (account_id, id) on delete set null (contract_id),
        foreign key (account_id, customer_id) references customers (account_id, id) on delete set null (customer_id)
      );
      create index reminders_customer on reminders (account_id, customer_id);
      create index reminders_latest on reminders (account_id, due_on, id);
      create index reminders_bounced on reminders (account_id, lower(address)) where state = 'bounced';
      create unique index reminders_due on reminders (next_attempt_at, id) where state in ('planned', 'sending');
      ${tenantTable('reminders')}
      grant select (id, account_id, state, next_attempt_at) on reminders to traxx_system;
      create policy due on reminders for select to traxx_system using (state in ('planned', 'sending'));`)
  }

  schedules(): void {
    this.addSql(`
      alter table contracts add reminders_since timestamptz not null default now();

      create table reminder_schedules (
        account_id int primary key references accounts on delete cascade,
        planned_through date not null,
        next_plan_at timestamptz not null,
        planned_at timestamptz
      );
      create unique index reminder_schedules_next on reminder_schedules (next_plan_at, account_id);
      insert into reminder_schedules (account_id, planned_through, next_plan_at)
        select distinct account_id, current_date, now() from contracts;
      ${tenantTable('reminder_schedules')} ${systemTable('reminder_schedules')}`)
  }

  /** A change that can make something due today is planned a few minutes later, when a slip has been mended. */
  wakes(): void {
    this.addSql(`
      create function set_reminders_since() returns trigger language plpgsql as $$
        begin
          new.reminders_since := now();
          return new;
        end $$;
      create trigger contracts_reminders_since before update on contracts for each row
        when (new.reminders_since = old.reminders_since and (new.renewal_date <> old.renewal_date or
          (old.status not in ('pending', 'active') and new.status in ('pending', 'active'))))
        execute function set_reminders_since();

      create function wake_reminders() returns trigger language plpgsql as $$
        begin
          if tg_op = 'INSERT' then
            insert into public.reminder_schedules (account_id, planned_through, next_plan_at)
              select distinct account_id, current_date - 1, now() + interval '5 minutes' from changed order by account_id
              on conflict (account_id) do nothing;
          end if;
          update public.reminder_schedules s set next_plan_at = least(next_plan_at, now() + interval '5 minutes')
            where account_id in (select account_id from changed where status in ('pending', 'active')
              and renewal_date between current_date - 31 and current_date + 31);
          return null;
        end $$;
      create trigger wake_reminders_of_insert after insert on contracts referencing new table as changed
        for each statement execute function wake_reminders();
      create trigger wake_reminders_of_update after update on contracts referencing new table as changed
        for each statement execute function wake_reminders();

      create function wake_reminders_of_account() returns trigger language plpgsql as $$
        begin
          update public.reminder_schedules set next_plan_at = now() where account_id = new.id;
          return null;
        end $$;
      create trigger wake_reminders_of_time_zone after update of time_zone on accounts for each row
        when (new.time_zone is distinct from old.time_zone) execute function wake_reminders_of_account();`)
  }

  /** When each job last began and ended, for whoever watches the server. */
  runs(): void {
    this.addSql(`
      create table job_runs (
        name text primary key,
        began_at timestamptz not null,
        ended_at timestamptz
      );
      ${systemTable('job_runs')}`)
  }
}
