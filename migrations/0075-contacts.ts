import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`

/** A customer has several contacts. The first one is in the customer's own row, with the address that it has always had. */
export class Contacts extends Migration {
  override up(): void {
    this.firstContacts()
    this.furtherContacts()
    this.activity()
    this.reminders()
  }

  firstContacts(): void {
    this.addSql(`alter table customers add contact_name text, add contact_role text;`)
  }

  furtherContacts(): void {
    this.addSql(`
      create table customer_contacts (
        id int generated always as identity primary key,
        account_id int not null references accounts on delete cascade,
        customer_id int not null,
        name text not null check (name <> ''),
        role text,
        email text,
        phone text,
        reminders boolean not null,
        -- The first day whose messages the contact gets: earlier days were planned without it.
        reminders_from date not null,
        created_at timestamptz not null,
        email_key text generated always as (lower(email)) stored,
        mailbox text generated always as (mailbox_of(email)) stored,
        foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade
      );
      create index customer_contacts_of_customer on customer_contacts (account_id, customer_id, id);
      create index customer_contacts_email on customer_contacts (account_id, email_key) where email_key is not null;
      create index customer_contacts_mailbox on customer_contacts (account_id, mailbox) where mailbox is not null;
      alter table customer_contacts enable row level security;
      alter table customer_contacts force row level security;
      create policy tenant on customer_contacts for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on customer_contacts to traxx_app;`)
  }

  /** Changes of contacts are changes of their customer: recorded by the table, so that no code can forget it. */
  activity(): void {
    this.addSql(`
      create function record_contacts() returns trigger language plpgsql as $$
        declare
          who text := nullif(current_setting('app.actor', true), '');
        begin
          if who is null and current_user = 'traxx_app' then
            raise exception 'app.actor is not set';
          end if;
          if tg_op = 'INSERT' then
            perform record_contact(n.account_id, n.customer_id, who, null, ${wordsOf('n')}) from new_rows n;
          elsif tg_op = 'UPDATE' then
            perform record_contact(n.account_id, n.customer_id, who, ${wordsOf('o')}, ${wordsOf('n')})
              from new_rows n join old_rows o on o.id = n.id;
          else
            perform record_contact(o.account_id, o.customer_id, who, ${wordsOf('o')}, null) from old_rows o;
          end if;
          return null;
        end $$;
      create function record_contact(of_account int, of_customer int, who text, before text, after text) returns void
        language plpgsql as $$
        begin
          if before is not distinct from after then return; end if;
          insert into activity (account_id, about, about_id, actor, before, after)
            select of_account, 'customer', c.id, coalesce(who, 'operator'), jsonb_build_object('contact', before),
              jsonb_build_object('contact', after)
            from customers c join accounts a on a.id = c.account_id
            where c.account_id = of_account and c.id = of_customer and a.deleting_at is null;
          -- Undoing an import must not remove what somebody has added since.
          update customers set edited_at = now()
            where account_id = of_account and id = of_customer and import_id is not null and edited_at is null;
        end $$;
      create trigger customer_contacts_added after insert on customer_contacts
        referencing new table as new_rows for each statement execute function record_contacts();
      create trigger customer_contacts_changed after update on customer_contacts
        referencing old table as old_rows new table as new_rows for each statement execute function record_contacts();
      create trigger customer_contacts_deleted after delete on customer_contacts
        referencing old table as old_rows for each statement execute function record_contacts();`)
  }

  /** A message is to one contact of the customer; 0 is the first. Its name stays when the contact is deleted. */
  reminders(): void {
    this.addSql(`
      alter table reminders add contact_id int not null default 0, add contact_name text;
      drop index reminders_key;
      create unique index reminders_key on reminders
        (account_id, contract_id, renewal_date, kind, offset_days, recipient, channel, term_number, contact_id);`)
  }
}

/** A contact in words, as the activity has it. */
function wordsOf(row: string): string {
  const words = ['name', 'role', 'email', 'phone'].map((column) => `${row}.${column}`).join(', ')
  return `concat_ws(', ', ${words}, case when not ${row}.reminders then 'no reminders' end)`
}
