import { Migration } from '@mikro-orm/migrations'

/** Closed addresses are found by the mailbox that they are, and the mail provider's events are taken whole or not at all. */
export class Mailboxes extends Migration {
  override up(): void {
    this.mailboxes()
    this.customers()
    this.closedAddresses()
    this.events()
  }

  /** The same as `mailboxOf`, which a test compares. */
  mailboxes(): void {
    this.addSql(String.raw`
      create function mailbox_of(address text) returns text language plpgsql immutable strict parallel safe as $$
      declare
        entered text := lower(btrim(normalize(address, NFKC), E' \t\n\r\f\v'));
        domain text := substring(entered from '[^@]*$');
        name text := split_part(left(entered, greatest(length(entered) - length(domain) - 1, 0)), '+', 1);
      begin
        if position('@' in substr(entered, 2)) = 0 then return entered; end if;
        domain := btrim(domain, '.');
        name := btrim(name, '.');
        if domain in ('gmail.com', 'googlemail.com') then return replace(name, '.', '') || '@gmail.com'; end if;
        return name || '@' || domain;
      end
      $$;`)
  }

  customers(): void {
    this.addSql(`
      alter table customers add mailbox text generated always as (mailbox_of(email)) stored;
      create index customers_mailbox on customers (account_id, mailbox) where mailbox is not null;`)
  }

  /** Of several of one mailbox a complaint stays before the rest, then the oldest; the address is only shown. */
  closedAddresses(): void {
    this.addSql(`
      alter table closed_addresses no force row level security;
      alter table closed_addresses add mailbox text not null generated always as (mailbox_of(address)) stored;
      delete from closed_addresses x using closed_addresses kept
        where kept.account_id = x.account_id and kept.mailbox = x.mailbox and kept.address <> x.address
          and (kept.reason <> 'complained', kept.closed_at, kept.address)
            < (x.reason <> 'complained', x.closed_at, x.address);
      alter table closed_addresses drop constraint closed_addresses_pkey;
      alter table closed_addresses add primary key (account_id, mailbox);
      alter table closed_addresses force row level security;`)
  }

  /**
   * The token of an event is used in the transaction of what the event changes, which is the account's. The row that an
   * event names may have been skipped since, while others that went out in the same email were not.
   */
  events(): void {
    this.addSql(`
      create policy keeper on mail_webhook_tokens for all to current_user using (true) with check (true);
      create function use_mail_token(hash bytea, at timestamptz) returns boolean language plpgsql security definer
        set search_path = pg_catalog, pg_temp as $$
      begin
        insert into public.mail_webhook_tokens (token_hash, received_at) values (hash, at) on conflict do nothing;
        return found;
      end
      $$;
      revoke execute on function use_mail_token from public;
      grant execute on function use_mail_token to traxx_app;
      drop policy posted on reminders;
      create policy posted on reminders for select to traxx_system
        using (state in ('sent', 'delivered', 'bounced', 'failed') or message_id is not null);`)
  }
}
