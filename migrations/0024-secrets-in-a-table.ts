import { Migration } from '@mikro-orm/migrations'

/** In the owner's name; the pinned path keeps others' objects out. */
const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp'

export class SecretsInATable extends Migration {
  override up(): void {
    this.secrets()
    this.functions()
  }

  /** A function's text can be read by every role of the database, which a table without grants cannot. */
  secrets(): void {
    this.addSql(`
      create table secrets (
        name text primary key,
        value text not null check (value <> '')
      );
      revoke all on secrets from public;
      insert into secrets (name, value) values
        ('unsubscribe', (select substring(prosrc from '''([\\w-]+)''') from pg_proc
          where oid = 'unsubscribe_key()'::regprocedure)),
        ('trial', (select substring(prosrc from 'convert_to\\(''([\\w-]+)''') from pg_proc
          where oid = 'trial_hash(text)'::regprocedure));`)
  }

  /** They answer what they always did, so that links in mails and hashes of addresses stay good. */
  functions(): void {
    this.addSql(`
      create or replace function unsubscribe_key() returns text language sql stable parallel safe ${AS_OWNER}
        as $$ select value from public.secrets where name = 'unsubscribe' $$;
      create or replace function trial_hash(email text) returns bytea language sql immutable parallel safe ${AS_OWNER}
        as $$ select sha256(convert_to((select value from public.secrets where name = 'trial') || lower(btrim(email)), 'UTF8')) $$;`)
  }
}
