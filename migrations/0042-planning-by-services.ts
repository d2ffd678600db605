import { Migration } from '@mikro-orm/migrations'

/** Services say when reminders start over and when an account is planned again, by the rules of the domain. */
export class PlanningByServices extends Migration {
  override up(): void {
    this.addSql(`
      drop trigger contracts_reminders_since on contracts;
      drop trigger wake_reminders_of_insert on contracts;
      drop trigger wake_reminders_of_update on contracts;
      drop trigger wake_reminders_of_time_zone on accounts;
      drop function set_reminders_since, wake_reminders, wake_reminders_of_account;`)
  }
}
