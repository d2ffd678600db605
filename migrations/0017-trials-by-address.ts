import { Migration } from '@mikro-orm/migrations'

/** Whether anybody of a new account's address has had a trial. Without it, each sign-up looks at every account. */
export class TrialsByAddress extends Migration {
  override up(): void {
    this.addSql('create index accounts_trial_hash on accounts (trial_hash(email));')
  }
}
