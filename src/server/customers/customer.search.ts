import sql, { raw, type Sql } from 'sql-template-tag'

interface SearchIn {
  /** Otherwise phone, customer number, email and address as well. */
  nameAlone: boolean
}

/**
 * `matches`, a table of ids for a `with`: the account's customers one of whose fields contains the text, whatever its
 * case and accents. The function uses the trigram index, which a policy would keep LIKE from.
 */
export function matchingCustomers(accountId: number, text: string, { nameAlone }: SearchIn): Sql {
  return sql`matches as materialized (
    select id from find_customers(${accountId}, ${text}, ${nameAlone}) id)`
}

/** The same as a condition on a customer `c`, without the index: for walking through a list in its order. */
export function customerMatches(text: string, { nameAlone }: SearchIn): Sql {
  // A pattern in a subquery is computed once, and not for each row.
  const contains = (searched: string, pattern: string) =>
    sql`${raw(searched)} like ((select ${raw(pattern)}(${text})) collate "C")`
  if (nameAlone) return contains(`split_part(c.search_text, E'\\n', 1)`, 'search_pattern')
  return sql`(${contains('c.search_text', 'search_pattern')} or ${contains('c.search_text', 'digits_pattern')})`
}
