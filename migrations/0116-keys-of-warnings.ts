import { Migration } from '@mikro-orm/migrations'

/** Which email to its owner a warning is in, once one was tried. */
export class KeysOfWarnings extends Migration {
  override up(): void {
    this.addSql(`
      -- Until that has been sent, it is sent again about the same warnings and under the same Message-ID.
      alter table notices add column owner_email_key text`)
  }
}
