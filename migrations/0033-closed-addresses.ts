import { Migration } from '@mikro-orm/migrations'

const TENANT = `(select nullif(current_setting('app.account_id', true), '')::int)`
const TABLES_READ_ACROSS_ACCOUNTS = ['notifications', 'bounced_addresses', 'customers', 'reminders']

/** An address whose reader wants no more mail from an account: only its reader can open it again. */
export class ClosedAddresses extends Migration {
  override up(): void {
    this.table()
    this.rowSecurity('no force')
    this.moveComplaints()
    this.moveUnsubscribed()
    this.removeLinks()
    this.rowSecurity('force')
    this.secure()
  }

  table(): void {
    this.addSql(`
      create table closed_addresses (
        account_id int not null references accounts on delete cascade,
        address text not null check (address = lower(address)),
        reason text not null check (reason in ('unsubscribed', 'complained')),
        closed_at timestamptz not null,
        primary key (account_id, address)
      );`)
  }

  /** Row-level security binds the owner of the tables too. */
  rowSecurity(force: 'force' | 'no force'): void {
    for (const table of TABLES_READ_ACROSS_ACCOUNTS) this.addSql(`alter table ${table} ${force} row level security;`)
  }

  /** A complaint was kept as mail that came back, which the account could clear. */
  moveComplaints(): void {
    const isComplaint = `b.answer = 'Marked as spam' and exists (
      select from reminders r where r.account_id = b.account_id and r.recipient = 'customer'
        and lower(r.address) = b.address)`
    this.addSql(`
      insert into closed_addresses (account_id, address, reason, closed_at)
        select account_id, address, 'complained', min(bounced_at) from bounced_addresses b
        where ${isComplaint} group by account_id, address;
      update bounced_addresses b set cleared_at = now() where cleared_at is null and ${isComplaint};`)
  }

  /**
   * Of who unsubscribed there is only the notification. What counts is the address that the customer had then. Their
   * notifications were turned off for it, which from now on only says what the account itself wants.
   */
  moveUnsubscribed(): void {
    this.addSql(`
      create temporary table unsubscribed on commit drop as
        select n.account_id, c.id as customer_id, n.created_at, coalesce((
            select lower(r.address) from reminders r
            where r.account_id = c.account_id and r.customer_id = c.id and r.recipient = 'customer'
              and r.address is not null and r.sent_at <= n.created_at
            order by r.sent_at desc limit 1), lower(c.email)) as address
        from notifications n join customers c
          on c.account_id = n.account_id and n.action_url = '/customers?open=' || c.id
        where n.type = 'other' and n.title like '% unsubscribed'
          and n.message like '% does not want reminders by email any more. No more are sent to them.';
      insert into closed_addresses (account_id, address, reason, closed_at)
        select account_id, address, 'unsubscribed', min(created_at) from unsubscribed
        where address is not null group by account_id, address
        on conflict do nothing;
      alter table customers disable trigger user;
      update customers c set send_notifications = true from unsubscribed u
        where c.account_id = u.account_id and c.id = u.customer_id and not c.send_notifications
          and exists (select from closed_addresses x where x.account_id = c.account_id and x.address = lower(c.email));
      alter table customers enable trigger user;`)
  }

  /** The links of a message are its reader's: the account must not find them in the ledger. */
  removeLinks(): void {
    this.addSql(String.raw`
      update reminders set body = regexp_replace(body, '\nUnsubscribe: \S+', '')
        where recipient = 'customer' and body like '%Unsubscribe: %';`)
  }

  secure(): void {
    this.addSql(`
      alter table closed_addresses enable row level security;
      alter table closed_addresses force row level security;
      create policy tenant on closed_addresses for all to traxx_app
        using (account_id = ${TENANT}) with check (account_id = ${TENANT});
      grant select, insert, update, delete on closed_addresses to traxx_app;`)
  }
}
