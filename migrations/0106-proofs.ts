import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

const FUNCTIONS = `
  create function refuse_change_of_proofs() returns trigger
    language plpgsql set search_path = pg_catalog, pg_temp as $$
    begin
      if tg_op = 'DELETE' then
        if current_setting('app.removes_proofs_of', true) = old.account_id::text
          and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
          return old;
        end if;
      end if;
      raise exception 'proofs are only ever added' using errcode = 'insufficient_privilege';
    end $$;
  create function remove_proofs(of_account int, most int) returns int
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare removed int;
    begin
      perform set_config('app.removes_proofs_of', of_account::text, true);
      delete from public.proofs where account_id = of_account and number in (
        select number from public.proofs where account_id = of_account order by number desc limit most);
      get diagnostics removed = row_count;
      perform set_config('app.removes_proofs_of', '', true);
      return removed;
    end $$;
  revoke execute on function remove_proofs(int, int) from public;
  grant execute on function remove_proofs(int, int) to traxx_system;`

/** The chain of an account's proofs, and the records that it proves. */
export class Proofs extends Migration {
  override up(): void {
    this.addSql(`
      create table proofs (
        account_id int not null references accounts on delete cascade,
        number int not null check (number > 0),
        reminder_id bigint not null,
        previous_hash text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
        record_hash text not null check (record_hash ~ '^[0-9a-f]{64}$'),
        hash text not null check (hash ~ '^[0-9a-f]{64}$'),
        signature text not null,
        key_id text not null,
        primary key (account_id, number)
      );
      create index proofs_reminder on proofs (account_id, reminder_id);
      create table proof_records (
        account_id int not null references accounts on delete cascade,
        number int not null,
        record text not null,
        primary key (account_id, number),
        foreign key (account_id, number) references proofs (account_id, number) on delete cascade
      );`)
    for (const table of ['proofs', 'proof_records']) {
      this.addSql(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} for all to traxx_app
          using (account_id = ${TENANT}) with check (account_id = ${TENANT});
        create policy keeper on ${table} for all to current_user using (true) with check (true);
        grant select, insert on ${table} to traxx_app;`)
    }
    this.addSql(FUNCTIONS)
    for (const table of ['proofs', 'proof_records']) {
      this.addSql(`
        create trigger only_added before update or delete on ${table}
          for each row execute function refuse_change_of_proofs();
        create trigger never_emptied before truncate on ${table}
          for each statement execute function refuse_change_of_proofs();`)
    }
  }
}
