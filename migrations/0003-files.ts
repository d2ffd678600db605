import { randomUUID } from 'node:crypto'
import { Migration } from '@mikro-orm/migrations'

export class Files extends Migration {
  override up(): void {
    this.installation()
    this.knownFiles()
  }

  /**
   * Which database a file belongs to: part of every file's name, so that a server whose database is another one
   * never takes these files for forgotten ones. It goes with a dump of the database.
   */
  installation(): void {
    this.addSql(`
      create function installation() returns text language sql immutable parallel safe
        as $$ select '${randomUUID()}' $$;`)
  }

  /** The sweep of forgotten files works across accounts: it sees the names of files, and nothing else of a contract. */
  knownFiles(): void {
    this.addSql(`
      create unique index contracts_pdf on contracts (pdf_path) where pdf_path is not null;
      grant select (pdf_path) on contracts to traxx_system;
      create policy files on contracts for select to traxx_system using (pdf_path is not null);`)
  }
}
