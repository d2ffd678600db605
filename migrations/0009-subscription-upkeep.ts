import { Migration } from '@mikro-orm/migrations'

export class SubscriptionUpkeep extends Migration {
  override up(): void {
    this.reading()
    this.price()
  }

  /** When Stripe was last asked about an account, also where there was no subscription to store. */
  reading(): void {
    this.addSql(`
      alter table accounts add subscription_read_at timestamptz not null default now();
      create unique index accounts_subscription_read on accounts (subscription_read_at, id)
        where stripe_customer_id is not null and deleting_at is null;`)
  }

  /** What a period costs, as agreed with this subscriber. */
  price(): void {
    this.addSql(`alter table subscriptions add price_cents int;`)
  }
}
