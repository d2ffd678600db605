import { Migration } from '@mikro-orm/migrations'

/** What the quotas of an account count, so that nothing has to be counted anew for them. */
export class Quotas extends Migration {
  override up(): void {
    // Null for imports of before, which kept all their failed rows, and for PDFs whose size nobody noted.
    this.addSql(`
      alter table imports add failed_kept int;
      alter table contracts add pdf_bytes bigint;
      create index contracts_pdfs on contracts (account_id) include (pdf_bytes) where pdf_path is not null;`)
  }
}
