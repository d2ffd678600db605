import { Migration } from '@mikro-orm/migrations'

export class LinkKeyAndLiftedStops extends Migration {
  override up(): void {
    this.linkKey()
    this.liftedStops()
  }

  /** What an injected statement of the app role reads must not be what forges the links of all accounts. */
  linkKey(): void {
    this.addSql(`
      revoke execute on function unsubscribe_key() from traxx_app;
      grant execute on function unsubscribe_key() to traxx_system;`)
  }

  /** Lifting a stop is a command of the operator; a server writes it to the security log, once. */
  liftedStops(): void {
    // Of stops that were lifted before, nothing is logged any more.
    this.addSql(`
      alter table mail_stops add lift_logged_at timestamptz default now();
      alter table mail_stops alter lift_logged_at drop default;`)
  }
}
