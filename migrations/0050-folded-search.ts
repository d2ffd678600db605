import { Migration } from '@mikro-orm/migrations'

/** In what is searched, the digits of a phone number follow this character, which no field can begin a line with. */
const DIGITS_MARK = String.raw`E'\x1f'`

/**
 * The search finds "Café" by "cafe" and the other way round, looks into email and address as well, and finds a phone
 * number by its digits, however it is punctuated.
 */
export class FoldedSearch extends Migration {
  override up(): void {
    this.patterns()
    this.searchText()
    this.findCustomers()
  }

  /**
   * The same as `foldText`, which a test compares. The unaccent extension does less (it keeps case) and is not immutable:
   * its rules are a file of the server, so that its result must not be stored.
   */
  patterns(): void {
    const digits = String.raw`regexp_replace(search, '\D', '', 'g')`
    this.addSql(String.raw`
      create function fold_text(written text) returns text language sql immutable strict parallel safe
        return case when octet_length(written) = length(written) then lower(written collate "und-x-icu") else
          replace(replace(replace(
            translate(
              regexp_replace(lower(normalize(written, NFKD) collate "und-x-icu"), '[\u0300-\u036f]', '', 'g'),
              'øłđðħŧı', 'olddhti'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end;
      create function search_pattern(search text) returns text language sql immutable strict parallel safe
        return '%' || regexp_replace(fold_text(replace(search, E'\n', ' ')), '([\\%_])', '\\\1', 'g') || '%';
      create function digits_pattern(search text) returns text language sql immutable strict parallel safe
        return case when search ~ '^[-0-9 ().+/]*$' and search ~ '\D' and length(${digits}) >= 3
          then '%' || ${DIGITS_MARK} || '%' || ${digits} || '%' end;`)
  }

  /** Rewrites the table. The fields are on lines of their own, the name on the first. */
  searchText(): void {
    const line = (column: string) => String.raw`replace(fold_text(coalesce(${column}, '')), E'\n', ' ')`
    const lines = ['name', 'phone', 'customer_number', 'email', 'address'].map(line).join(String.raw` || E'\n' || `)
    const digits = String.raw`regexp_replace(coalesce(phone, ''), '\D', '', 'g')`
    this.addSql(`
      drop function find_customers(int, text, boolean);
      alter table customers drop column search_text, add column search_text text collate "C" not null
        generated always as (${lines} || ${DIGITS_MARK} || ${digits}) stored;
      create index customers_search on customers using gin (account_id, search_text gin_trgm_ops);`)
  }

  /** LIKE is not leakproof, so under a policy it cannot use an index: this asks in the owner's name instead. */
  findCustomers(): void {
    const select = 'return query select id from public.customers c where c.account_id = account and'
    // Without three letters in a row there is no trigram, and the index would be read from end to end.
    const matches = (text: string) => String.raw`${text} like (pattern collate "C")
            and (not in_name_alone or split_part(c.search_text, E'\n', 1) like (pattern collate "C"))`
    this.addSql(String.raw`
      create function find_customers(account int, search text, in_name_alone boolean) returns setof int
      language plpgsql stable rows 100 security definer set search_path = pg_catalog, pg_temp
      set plan_cache_mode = force_generic_plan as $$
      declare
        pattern text := public.search_pattern(search);
        digits text := case when not in_name_alone then public.digits_pattern(search) end;
      begin
        if account is distinct from nullif(current_setting('app.account_id', true), '')::int then
          raise exception 'customers of another account' using errcode = 'insufficient_privilege';
        end if;
        if pattern ~ '\w{3}' then
          ${select} ${matches('c.search_text')};
        else
          ${select} ${matches(`(c.search_text || '')`)};
        end if;
        if digits is not null then
          ${select} c.search_text like (digits collate "C") and not c.search_text like (pattern collate "C");
        end if;
      end $$;
      revoke all on function find_customers(int, text, boolean) from public;
      grant execute on function find_customers(int, text, boolean) to traxx_app;`)
  }
}
