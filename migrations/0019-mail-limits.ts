import { Migration } from '@mikro-orm/migrations'

const ACCOUNT = `nullif(current_setting('app.account_id', true), '')`

/** Runs with the rights of the tables' owner; nobody but `role` may call it. */
function ownersFunction(role: string, signature: string, { returns, body }: { returns: string; body: string }) {
  return `
    create function ${signature} returns ${returns} language plpgsql security definer
      set search_path = pg_catalog, pg_temp as $$ ${body} $$;
    revoke execute on function ${signature} from public;
    ${role === '' ? '' : `grant execute on function ${signature} to ${role};`}`
}

/**
 * How many emails went to customers on a day: from an account, from the owner of an account by whatever account, and to
 * an address from all accounts. Counts outlive contracts, customers and accounts.
 */
export class MailLimits extends Migration {
  override up(): void {
    this.counts()
    this.subjects()
    this.counting()
    this.reading()
    this.ledger()
  }

  /** Neither role reads whom a count is about: the hashes are keyed, and the key is the owner's alone. */
  counts(): void {
    this.addSql(`
      create table mail_counts (
        subject bytea not null,
        day date not null,
        count int not null check (count >= 0),
        told boolean not null default false,
        primary key (day, subject)
      );
      create table mail_count_keys (
        is_only boolean primary key default true check (is_only),
        key bytea not null
      );
      alter table mail_counts enable row level security;
      alter table mail_counts force row level security;
      create policy keeper on mail_counts for all to current_user using (true) with check (true);
      create policy sweep on mail_counts for all to traxx_system using (true) with check (false);
      grant select (day), delete on mail_counts to traxx_system;
      alter table mail_count_keys enable row level security;
      alter table mail_count_keys force row level security;
      create policy keeper on mail_count_keys for all to current_user using (true) with check (true);`)
  }

  subjects(): void {
    this.addSql(
      ownersFunction('', 'mail_subject(name text)', {
        returns: 'bytea',
        body: `
        declare
          secret bytea;
        begin
          select k.key into secret from public.mail_count_keys k;
          if not found then
            insert into public.mail_count_keys (key) values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
              on conflict do nothing;
            select k.key into secret from public.mail_count_keys k;
          end if;
          return sha256(secret || sha256(secret || convert_to(name, 'UTF8')));
        end`,
      }),
    )
  }

  /**
   * Counts one email to each of these addresses, or says which limit keeps it from being sent and counts nothing for it.
   * Addresses come normalized and sorted, so that nobody waits for another crosswise.
   */
  counting(): void {
    this.addSql(
      ownersFunction(
        'traxx_app',
        'count_customer_mail(on_day date, addresses text[], owner_address text, most_of_account int, most_to_address int)',
        {
          returns: 'table (address text, refused text)',
          body: `
          declare
            senders bytea[] := array[public.mail_subject('account ' || ${ACCOUNT})];
            reader bytea;
            used int;
          begin
            if owner_address <> '' then senders := senders || public.mail_subject('owner ' || owner_address); end if;
            insert into public.mail_counts (day, subject, count) select on_day, s, 0 from unnest(senders) s
              on conflict do nothing;
            perform from public.mail_counts c where c.day = on_day and c.subject = any(senders)
              order by c.subject for update;
            select max(c.count) into used from public.mail_counts c where c.day = on_day and c.subject = any(senders);
            foreach address in array addresses loop
              refused := null;
              if used >= most_of_account then
                refused := 'account_limit';
              else
                reader := public.mail_subject('to ' || address);
                insert into public.mail_counts as c (day, subject, count) select on_day, reader, 1 where most_to_address > 0
                  on conflict (day, subject) do update set count = c.count + 1 where c.count < most_to_address;
                if found then
                  used := used + 1;
                  update public.mail_counts c set count = c.count + 1 where c.day = on_day and c.subject = any(senders);
                else
                  refused := 'address_limit';
                end if;
              end if;
              return next;
            end loop;
          end`,
        },
      ),
    )
    this.addSql(
      ownersFunction('traxx_app', 'uncount_customer_mail(on_day date, address text, owner_address text)', {
        returns: 'void',
        body: `
        declare
          senders bytea[] := array[public.mail_subject('account ' || ${ACCOUNT}), public.mail_subject('owner ' || owner_address)];
        begin
          perform from public.mail_counts c where c.day = on_day and c.subject = any(senders)
            order by c.subject for update;
          update public.mail_counts c set count = greatest(c.count - 1, 0)
            where c.day = on_day and c.subject = any(senders);
          update public.mail_counts c set count = greatest(c.count - 1, 0)
            where c.day = on_day and c.subject = public.mail_subject('to ' || address);
        end`,
      }),
    )
  }

  /** What an account may know: its own count, and whether it was told already that a limit was met. */
  reading(): void {
    this.addSql(
      ownersFunction('traxx_app', 'customer_mail_count(on_day date, owner_address text)', {
        returns: 'int',
        body: `
        begin
          if not exists (select from public.mail_count_keys) then return 0; end if;
          return (select coalesce(max(c.count), 0) from public.mail_counts c where c.day = on_day and c.subject in (
            public.mail_subject('account ' || ${ACCOUNT}), public.mail_subject('owner ' || owner_address)));
        end`,
      }),
    )
    this.addSql(
      ownersFunction('traxx_app', 'note_mail_limit(on_day date)', {
        returns: 'boolean',
        body: `
        begin
          insert into public.mail_counts as c (day, subject, count, told)
            values (on_day, public.mail_subject('account ' || ${ACCOUNT}), 0, true)
            on conflict (day, subject) do update set told = true where not c.told;
          return found;
        end`,
      }),
    )
  }

  /** Several rows may be one email, which has one Message-ID; the row that it names may have failed since. */
  ledger(): void {
    this.addSql(`
      drop policy posted on reminders;
      create policy posted on reminders for select to traxx_system
        using (state in ('sent', 'delivered', 'bounced', 'failed'));
      alter table reminders add waits_for text;
      create index reminders_message on reminders (account_id, message_id) where message_id is not null;
      alter table customers add email_key text generated always as (lower(email)) stored;
      create index customers_email on customers (account_id, email_key) where email_key is not null;`)
  }
}
