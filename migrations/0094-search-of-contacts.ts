import { Migration } from '@mikro-orm/migrations'

/**
 * Customers are found by all of their contacts. What is searched of a contact is computed where it is indexed (0095, 0096) and
 * not stored, so that no row is written for it and no version counted. Until these indexes are there, a search reads all
 * contacts of the account.
 */
export class SearchOfContacts extends Migration {
  override up(): void {
    this.foldText()
    this.phoneText()
    this.findCustomers()
  }

  /** As before, but not strict: only then the planner expands it in its place, which is several times as fast. */
  foldText(): void {
    this.addSql(String.raw`
      create or replace function fold_text(written text) returns text language sql immutable parallel safe
        return case when octet_length(written) = length(written) then lower(written collate "und-x-icu") else
          replace(replace(replace(
            translate(
              regexp_replace(lower(normalize(written, NFKD) collate "und-x-icu"), '[\u0300-\u036f]', '', 'g'),
              'øłđðħŧı', 'olddhti'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end`)
  }

  /** A phone number, and then its digits as a customer's `search_text` has them. */
  phoneText(): void {
    this.addSql(String.raw`
      create function phone_text(phone text) returns text language sql immutable parallel safe
        return fold_text(phone) || E'\x1f' || regexp_replace(phone, '\D', '', 'g');
      -- Without it, an owner who is no superuser finds nothing.
      create policy keeper on customer_contacts for select to current_user using (true);`)
  }

  /** As before, and then customers of whom only contacts match. */
  findCustomers(): void {
    const select =
      'return query select id from public.customers c where c.account_id = account and c.deleted_at is null and'
    const own = (text: string) => String.raw`${select} ${text} like (pattern collate "C")
            and (not in_name_alone or split_part(c.search_text, E'\n', 1) like (pattern collate "C"));`
    const like = (text: string) => `${text} like (pattern collate "C")`
    const isFoundOtherwise = `${like('c.search_text')} or c.search_text like (digits collate "C")`
    const first = 'public.fold_text(c.contact_name)'
    const phone = 'public.phone_text(x.phone)'
    const further = ['public.fold_text(x.name)', 'public.fold_text(x.email)', phone]
    // The limit makes each contact look its customer up, however many contacts the planner expects.
    const byContacts = (unindexed: string) => `
          ${select} c.contact_name is not null and ${like(`(${first}${unindexed})`)} and (${isFoundOtherwise}) is not true;
          return query select distinct x.customer_id from public.customer_contacts x cross join lateral (
              select from public.customers c where c.account_id = account and c.id = x.customer_id and c.deleted_at is null
                and (${isFoundOtherwise} or ${like(first)}) is not true limit 1) c
            where x.account_id = account and (${further.map((text) => like(`(${text}${unindexed})`)).join(' or ')}
              or (${phone}${unindexed}) like (digits collate "C"));`
    this.addSql(String.raw`
      create or replace function find_customers(account int, search text, in_name_alone boolean) returns setof int
      language plpgsql stable rows 100 security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
      declare
        pattern text := public.search_pattern(search);
        digits text := case when not in_name_alone then public.digits_pattern(search) end;
        -- Without three letters in a row there is no trigram, and an index would be read from end to end.
        is_indexed boolean := pattern ~ '\w{3}';
      begin
        if account is distinct from nullif(current_setting('app.account_id', true), '')::int then
          raise exception 'customers of another account' using errcode = 'insufficient_privilege';
        end if;
        if is_indexed then
          ${own('c.search_text')}
        else
          ${own(`(c.search_text || '')`)}
        end if;
        if digits is not null then
          ${select} c.search_text like (digits collate "C") and not c.search_text like (pattern collate "C");
        end if;
        if in_name_alone then
          return;
        end if;
        if is_indexed then
          ${byContacts('')}
        else
          ${byContacts(` || ''`)}
        end if;
      end $$;`)
  }
}
