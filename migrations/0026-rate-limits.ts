import { Migration } from '@mikro-orm/migrations'

/**
 * The counters that all processes share, as rate-limiter-flexible wants them. They are worth no log: after a crash every
 * count begins anew.
 */
export class RateLimits extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table rate_limits (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      );
      alter table rate_limits enable row level security;
      alter table rate_limits force row level security;
      create policy system on rate_limits for all to traxx_system using (true) with check (true);
      grant select, insert, update, delete on rate_limits to traxx_system;`)
  }
}
