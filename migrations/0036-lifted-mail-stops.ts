import { Migration } from '@mikro-orm/migrations'

/** Lifting a stop is a command of the operator; a server writes it to the security log, once. */
export class LiftedMailStops extends Migration {
  override up(): void {
    // Of stops that were lifted before, nothing is logged any more.
    this.addSql(`
      alter table mail_stops add lift_logged_at timestamptz default now();
      alter table mail_stops alter lift_logged_at drop default;`)
  }
}
