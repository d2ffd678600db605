import { Migration } from '@mikro-orm/migrations'

export class Names extends Migration {
  /** What the identity provider calls the person: a page that is rendered ahead shows it before that has answered. */
  override up(): void {
    this.addSql(`alter table accounts add name text not null default '';`)
  }
}
