import { Migration } from '@mikro-orm/migrations'

const MAILBOX = `
  select a.id from accounts a where a.stripe_customer_id = customer
  union
  select b.id from accounts a join accounts b on trial_hash(b.email) = trial_hash(a.email)
  where a.stripe_customer_id = customer and a.email <> ''`

/** Of the trials that begin for a mailbox, one is the first, however close together they are. */
export class OneTrialAMailbox extends Migration {
  override up(): void {
    this.began()
    this.claim()
  }

  /** Row-level security binds the owner of the tables too. */
  began(): void {
    this.addSql(`
      alter table accounts no force row level security;
      alter table subscriptions no force row level security;
      alter table accounts add column trial_began_at timestamptz;
      update accounts a set trial_began_at = a.trial_used_at
        where a.trial_used_at is not null and exists (select from subscriptions s where s.account_id = a.id);
      alter table accounts force row level security;
      alter table subscriptions force row level security;`)
  }

  /**
   * Spends the trial of the customer's mailbox, for all its accounts; true where it is the customer's own. Each statement sees
   * what has been committed before it, so the one that waits for the locks sees whose trial was first. Locked in one
   * order, two accounts never wait for each other.
   */
  claim(): void {
    this.addSql(`
      create function claim_trial(customer text, began timestamptz) returns boolean language plpgsql as $$
        declare
          mailbox int[];
          spent_at timestamptz;
        begin
          mailbox := array(${MAILBOX});
          perform from accounts where id = any (mailbox) order by id for update;
          spent_at := (select min(trial_used_at) from accounts where id = any (mailbox));
          if spent_at is null then
            update accounts set trial_began_at = began where stripe_customer_id = customer;
          end if;
          update accounts set trial_used_at = coalesce(spent_at, began) where id = any (mailbox) and trial_used_at is null;
          return exists (select from accounts where stripe_customer_id = customer and trial_began_at is not null);
        end $$;
      revoke execute on function claim_trial(text, timestamptz) from public;
      grant execute on function claim_trial(text, timestamptz) to traxx_system;`)
  }
}
