import { Migration } from '@mikro-orm/migrations'

/** The day of the last email to an owner about windows that close, also where those windows are gone. */
export class DaysOfEmailsAboutWarnings extends Migration {
  override up(): void {
    this.addSql(`
      -- One such email a day. The rows of its windows go as soon as no notice is due of their contracts.
      alter table reminder_schedules add column owner_emailed_on date`)
  }
}
