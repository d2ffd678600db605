import { Migration } from '@mikro-orm/migrations'

export class MailWebhookTokens extends Migration {
  /** Each signature of the mail provider counts once; this is of no account. */
  override up(): void {
    this.addSql(`
      create table mail_webhook_tokens (
        token_hash bytea primary key,
        received_at timestamptz not null
      );
      create index mail_webhook_tokens_received on mail_webhook_tokens (received_at);
      alter table mail_webhook_tokens enable row level security;
      alter table mail_webhook_tokens force row level security;
      create policy system on mail_webhook_tokens for all to traxx_system using (true) with check (true);
      grant select, insert, delete on mail_webhook_tokens to traxx_system;`)
  }
}
