import { Migration } from '@mikro-orm/migrations'

/** For finding what is proved of an answer. */
export class IndexOfProvedAnswers extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql('drop index concurrently if exists proofs_answer')
    this.addSql(`
      create index concurrently proofs_answer on proofs (account_id, answer_id) where answer_id is not null`)
  }
}
