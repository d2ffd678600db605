import { Migration } from '@mikro-orm/migrations'

const END_OF_PROOFS = `
  create function lock_proofs(of_account int, out time_zone text, out number int, out hash text)
    language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended('proofs of ' || of_account, 0));
      -- A statement of its own, so that it sees what was committed while the lock was awaited.
      select coalesce(a.time_zone, 'UTC'), p.number, p.hash into time_zone, number, hash
      from public.accounts a left join lateral (
        select q.number, q.hash from public.proofs q where q.account_id = a.id order by q.number desc limit 1) p on true
      where a.id = of_account;
    end $$;`

/** Proofs can be about customers' answers. What an archive has brought is told apart from what was answered here. */
export class ProofsOfAnswers extends Migration {
  override up(): void {
    this.addSql(`
      alter table proofs add answer_id int, alter reminder_id drop not null;
      alter table proofs add constraint proofs_subject check (num_nonnulls(reminder_id, answer_id) = 1) not valid;`)
    this.addSql(END_OF_PROOFS)
    this.addSql(`
      alter table customer_answers add is_imported boolean not null default false, no force row level security;
      -- Archives have no links, and a link is only deleted with its contract: where that is gone too, it cannot be told.
      update customer_answers set is_imported = true where link_id is null and contract_id is not null;
      alter table customer_answers force row level security;`)
  }
}
